// The explorer of responses: one front end for JupyterLab (as an anywidget) and for report.html.
// Every text, name and id comes from a model or a file. It reaches the page as a text node and nothing else:
// no innerHTML, no attribute but `href="#response-…"`, percent-encoded, is made of it.

const SVG = "http://www.w3.org/2000/svg", DRAWN = new Set(["svg", "rect", "line", "text", "g"]);
const ROW = 34, SPARE = 8, WAIT = 120;   // pixels of a row, rows beyond the edge, ms until a search begins

function make(tag, attributes, ...children) {
  const e = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(name, value);
    else e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false));
  return e;
}

const bare = x => x === null || x === undefined;
const signed = (x, digits) => bare(x) ? "–"
  : (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
const plain = (x, digits) => bare(x) ? "–" : x.toFixed(digits).replace("-", "−");
const counted = n => n.toLocaleString("en");
const link = id => "#response-" + encodeURIComponent(id);

// ── words that changed ────────────────────────────────────────────────────────────────────────────────────
// A token is a word or a sign with the space behind it; in scripts without spaces, a character.
const TOKEN = new RegExp("[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}]\\s*"
  + "|(?:[\\p{L}\\p{M}\\p{N}_]+(?:['’-][\\p{L}\\p{M}\\p{N}_]+)*|[^\\p{L}\\p{M}\\p{N}_\\s])\\s*|^\\s+", "gu");
const MOST_WORK = 4e6;                   // pairs of words; a longer stretch is shown as replaced whole

function common(x, y) {                  // pairs (i, j) of a longest common subsequence
  const n = x.length, m = y.length, wide = m + 1, pairs = [];
  if (!n || !m || n * m > MOST_WORK) return pairs;
  const best = new Uint16Array((n + 1) * wide);
  for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--)
    best[i * wide + j] = x[i] === y[j] ? best[(i + 1) * wide + j + 1] + 1
      : Math.max(best[(i + 1) * wide + j], best[i * wide + j + 1]);
  for (let i = 0, j = 0; i < n && j < m;) {
    if (x[i] === y[j]) pairs.push([i++, j++]);
    else if (best[(i + 1) * wide + j] >= best[i * wide + j + 1]) i++; else j++;
  }
  return pairs;
}

export function wordDiff(before, after) { // [["same" | "gone" | "new", words]]
  const a = before.match(TOKEN) ?? [], b = after.match(TOKEN) ?? [], known = new Map();
  const code = t => { t = t.trim(); if (!known.has(t)) known.set(t, known.size); return known.get(t); };
  const x = a.map(code), y = b.map(code), n = Math.min(x.length, y.length);
  let start = 0, end = 0;
  while (start < n && x[start] === y[start]) start++;
  while (end < n - start && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  const middle = common(x.slice(start, x.length - end), y.slice(start, y.length - end));
  const runs = [], add = (how, words) => words.length && runs.push([how, words]);
  let i = start, j = start;
  add("same", b.slice(0, start));
  for (let p = 0; p < middle.length;) {   // a stretch of words that stayed, and what changed before it
    const [u, v] = [middle[p][0] + start, middle[p][1] + start];
    let k = 1;
    while (p + k < middle.length && middle[p + k][0] + start === u + k && middle[p + k][1] + start === v + k) k++;
    add("gone", a.slice(i, u)); add("new", b.slice(j, v)); add("same", b.slice(v, v + k));
    [i, j, p] = [u + k, v + k, p + k];
  }
  add("gone", a.slice(i, a.length - end)); add("new", b.slice(j, b.length - end));
  add("same", b.slice(b.length - end));
  return joined(runs);
}

function joined(runs) {                   // one lonely word between two changes tells nothing; it joins them
  const parts = [], wordy = words => words.filter(t => /[\p{L}\p{N}]/u.test(t)).length;
  let gone = [], fresh = [];
  const flush = () => {
    if (gone.length) parts.push(["gone", gone.join("")]);
    if (fresh.length) parts.push(["new", fresh.join("")]);
    gone = []; fresh = [];
  };
  runs.forEach(([how, words], n) => {
    if (how === "gone") gone.push(...words);
    else if (how === "new") fresh.push(...words);
    else if (n && n < runs.length - 1 && wordy(words) < 2 && words.length < 4) {
      gone.push(...words); fresh.push(...words);
    } else { flush(); parts.push(["same", words.join("")]); }
  });
  flush();
  return parts;
}

function marked(before, text) {           // nodes
  if (bare(before) || before === text) return [text];
  const tag = { gone: "del", new: "ins" };
  return wordDiff(before, text).map(([how, words]) => tag[how] ? make(tag[how], {}, words) : words);
}

// ── choices of what is listed ─────────────────────────────────────────────────────────────────────────────
const within = (r, s) => bare(r.effect[s.model]) ? null : r.effect[s.model];
const last = (v, sign) => bare(v) ? -Infinity : sign * v;

function sortings(s) {                    // name → [words, function of a response: the largest come first]
  const found = {
    size: ["largest effect", r => last(within(r, s) === null ? null : Math.abs(within(r, s)), 1)],
    high: ["effect, highest first", r => last(within(r, s), 1)],
    low: ["effect, lowest first", r => last(within(r, s), -1)],
  };
  if (s.data.models.length > 1) found.spread = ["disagreement of models", r => last(r.spread, 1)];
  if (s.data.measures.length) found.off = ["off-target change", r => last(r.off, 1)];
  if (s.beside) found.apart = ["difference of the two", r => last(apart(r, s), 1)];
  found.order = ["order of the data", r => -r.i];
  return found;
}

function second(r, s) {                   // the same response of the other audit or model, and its effect
  const b = s.beside, other = b.data === s.data ? r : b.byId.get(r.id);
  return [other, other ? within(other, b) : null];
}

function apart(r, s) {
  const [a, b] = [within(r, s), second(r, s)[1]];
  if (bare(a) || bare(b)) return null;
  return Math.abs(a / s.data.models[s.model].unit - b / s.beside.data.models[s.beside.model].unit);
}

function filters(data) {                  // [name, label, [[value, words]], does a response have the value?]
  const tally = of => {
    const n = new Map();
    for (const r of data.responses) for (const v of [of(r)].flat()) if (!bare(v)) n.set(v, (n.get(v) ?? 0) + 1);
    return [...n].map(([v, k]) => [v, `${v} (${counted(k)})`]);
  };
  const arm = r => r.arm === null ? "unlabelled" : r.arm ? data.attribute.treated : data.attribute.untreated;
  const targets = r => [...new Set(r.texts.map(t => t.reached).filter(v => !bare(v)))]
    .map(v => v ? "a rewrite reached its target" : "a rewrite missed its target");
  const person = r => [r.flagged ? "excluded by a person" : null, r.note ? "with a note" : null];
  const all = [["status", "Status", r => r.status], ["arm", "Arm", arm], ["source", "Label from", r => r.source],
    ["reached", "Target", targets], ["person", "Person", person], ["picked", "Sample", r => r.picked],
    ["group", "Group", r => data.groups.map((g, k) => bare(r.group[k]) ? null : `${g}: ${r.group[k]}`)]];
  return all.map(([name, label, of]) => [name, label, tally(of), (r, v) => [of(r)].flat().includes(v)])
    .filter(f => f[2].length > (["reached", "person"].includes(f[0]) ? 0 : 1))
    .map(f => (f[0] === "group" && f[2].sort(), f));
}

function haystack(r) {
  r.words ??= [r.id, r.prompt, r.note, ...r.texts.map(t => t.text)].filter(Boolean).join("\n").toLowerCase();
  return r.words;
}

// ── the listed responses as a file ────────────────────────────────────────────────────────────────────────
// A row for each text; the prefixes keep names of columns apart. As in base/files.py, an apostrophe keeps a spreadsheet from running a text; `read_table` takes it back.
const RUN = /^(?:[\s\ufeff\u200b]*[=+@＝＋－＠'-]|[\t\r\n])/;

export function asCsv(data, responses) {
  const text = v => `"${(RUN.test(v) ? "'" + v : v).replaceAll('"', '""')}"`;
  const cell = v => bare(v) ? "" : typeof v === "string" ? text(v) : String(Number(v));
  const names = ["example_id", "prompt", ...data.groups.map(g => `group ${g}`), "w", "status", "excluded", "note", "draw", "depth", "target_w",
    "role", "text", "characters_cut", "text_status", "reached_target", ...data.measures.map(m => `measure ${m}`),
    ...data.models.flatMap(m => [`reward ${m.name}`, `effect ${m.name}`])];
  const rows = responses.flatMap(r => r.texts.map(t => [r.id, r.prompt, ...data.groups.map((_, k) => r.group[k]), r.arm,
    r.status, r.flagged, r.note, t.draw, t.depth, t.target, t.role, t.text, t.cut ?? 0, t.status, t.reached,
    ...data.measures.map((_, k) => t.measures?.[k]), ...data.models.flatMap((_, k) => [t.reward[k], r.effect[k]])]));
  return [names, ...rows].map(row => row.map(cell).join(",") + "\r\n").join("");
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// ── the distribution of effects ───────────────────────────────────────────────────────────────────────────
function histogram(s, width, brushed, onBrush) {
  const m = s.data.models[s.model], d = m.histogram, tall = 118, left = 12, base = 84;
  if (!d) return make("p", { class: "rx-soft" }, `No response has an effect on ${s.name}.`);
  const across = Math.max(width, 200) - 2 * left, most = Math.max(...d.counts, 1);
  const x = v => left + across * Math.min(Math.max((v - d.low) / (d.high - d.low), 0), 1);
  const step = across / d.counts.length, e = m.estimate, say = v => signed(v, m.digits);
  const mean = e ? `RATE, ${e.estimand}: ${signed(e.estimate, e.digits)}` + (bare(e.low) ? ""
    : ` [${signed(e.low, e.digits)}, ${signed(e.high, e.digits)}]`) : "";
  const svg = make("svg", { class: "rx-histogram", width, height: tall, viewBox: `0 0 ${width} ${tall}`, role: "img",
    "aria-label": `Effects of ${counted(d.n)} responses on ${m.name}, from ${say(d.least)} to ${say(d.most)}. ${mean}` });
  d.counts.forEach((n, k) => {
    const from = d.low + k * (d.high - d.low) / d.counts.length, to = d.low + (k + 1) * (d.high - d.low) / d.counts.length;
    const inside = !brushed || (to > brushed[0] && from < brushed[1]), high = n ? Math.max(60 * n / most, 1.5) : 0;
    svg.append(make("rect", { class: inside ? "rx-bar" : "rx-bar rx-faint", x: left + k * step + .5, y: base - high,
      width: Math.max(step - 1, .5), height: high }));
  });
  svg.append(make("line", { class: "rx-axis", x1: left, x2: left + across, y1: base, y2: base }));
  if (d.low < 0 && d.high > 0) svg.append(make("line", { class: "rx-zero", x1: x(0), x2: x(0), y1: 20, y2: base + 4 }));
  if (e) {
    if (!bare(e.low)) svg.append(make("rect", { class: "rx-interval", x: x(e.low), y: 20,
      width: Math.max(x(e.high) - x(e.low), 2), height: base - 20 }));
    svg.append(make("line", { class: "rx-mean", x1: x(e.estimate), x2: x(e.estimate), y1: 18, y2: base + 4 }),
      make("text", { x: Math.min(Math.max(x(e.estimate), left + 110), left + across - 110), y: 12,
        "text-anchor": "middle" }, mean));
  }
  const ends = d.open ? [`${say(d.low)} or less`, `${say(d.high)} or more`] : [say(d.low), say(d.high)];
  svg.append(make("text", { x: left, y: base + 17 }, ends[0]),
    make("text", { x: left + across, y: base + 17, "text-anchor": "end" }, ends[1]),
    make("text", { x: left + across / 2, y: base + 31, "text-anchor": "middle" },
      `effect of each response on ${m.judge ? "verdicts of " : ""}${s.name}`.slice(0, Math.floor(width / 7))));
  if (onBrush) {
    const back = px => px <= left ? -Infinity : px >= left + across ? Infinity
      : d.low + (px - left) / across * (d.high - d.low);
    const at = event => event.clientX - svg.getBoundingClientRect().left;
    let from = null, shade = null;
    svg.addEventListener("pointerdown", event => {
      from = at(event); svg.setPointerCapture(event.pointerId);
      shade = make("rect", { class: "rx-brush", x: from, y: 16, width: 0, height: base - 16 });
      svg.append(shade);
    });
    svg.addEventListener("pointermove", event => {
      if (from === null) return;
      shade.setAttribute("x", Math.min(from, at(event))); shade.setAttribute("width", Math.abs(at(event) - from));
    });
    svg.addEventListener("pointerup", event => {
      if (from === null) return;
      const [a, b] = [Math.min(from, at(event)), Math.max(from, at(event))];
      from = null;
      onBrush(b - a < 3 ? null : [back(a), back(b)]);
    });
  }
  return svg;
}

// ── one response ──────────────────────────────────────────────────────────────────────────────────────────
const tag = (words, kind = "") => make("span", { class: `rx-tag ${kind}` }, make("bdi", {}, words));
const side = (data, w) => w === null ? "" : w ? data.attribute.treated : data.attribute.untreated;

function textCard(data, r, t, against) {
  const before = t.depth === 0 || against === "nothing" ? null
    : against === "original" ? r.texts[0].text : r.texts[t.before]?.text;
  const head = make("h4", {}, t.role, t.depth || t.target !== null
    ? make("span", { class: "rx-soft" }, " · ", make("bdi", {}, side(data, t.target) || "attribute kept")) : null,
    t.status === "ok" ? null : tag(t.status, t.status === "unchanged" ? "care" : "bad"),
    t.reached === false ? tag("missed its target", "care") : null);
  const body = bare(t.text) ? [make("span", { class: "rx-soft" }, t.why ? `No text: ${t.why}` : "No text came back.")]
    : marked(before, t.text);
  return make("section", { class: "rx-text" }, head,
    make("div", { class: "rx-body", tabindex: 0, dir: "auto", role: "group", "aria-label": t.role }, body,
      t.cut ? make("span", { class: "rx-soft" }, ` … ${counted(t.cut)} more characters`) : null));
}

function numbers(data, r, texts, draws) { // rewards of every model and characteristics of every text
  const own = r.texts[0], columns = [own, ...texts];
  const cells = (values, digits, sign) => values.map(v => make("td", {}, sign ? signed(v, digits) : plain(v, digits)));
  const rows = data.models.map((m, k) => make("tr", {}, make("th", { scope: "row" }, make("bdi", {}, m.name),
      m.judge ? make("span", { class: "rx-soft" }, " verdict against the first rewrite") : null),
    make("td", { class: "rx-effect" }, signed(r.effect[k], m.digits)),
    cells(columns.map(t => t.reward[k]), m.digits, true)));
  const counts = data.measures.map((name, k) => make("tr", { class: "rx-count" }, make("th", { scope: "row" }, name.replaceAll("_", " ")),
    make("td", {}), cells(columns.map(t => t.measures?.[k] ?? null), data.measure_digits[k], false)));
  return make("div", { class: "rx-scroll", tabindex: 0, role: "group", "aria-label": "Rewards and characteristics" },
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "reward"),
      make("th", { scope: "col" }, draws > 1 ? "effect, mean of draws" : "effect"),
      columns.map(t => make("th", { scope: "col" }, t.role)))),
    make("tbody", {}, rows), make("tbody", {}, counts)));
}

function detail(data, r, against, extra) {
  const draws = [...new Set(r.texts.slice(1).map(t => t.draw))];
  const parts = (draws.length ? draws : [null]).map(d => {
    const texts = r.texts.filter((t, k) => k && t.draw === d);
    const cards = [draws.indexOf(d) > 0 ? null : textCard(data, r, r.texts[0], against),
      ...texts.map(t => textCard(data, r, t, against))];
    return [draws.length > 1 ? make("h4", { class: "rx-draw" }, `Draw ${d}`) : null,
      make("div", { class: "rx-texts" }, cards), numbers(data, r, texts, draws.length)];
  });
  const long = r.prompt.length > 280;
  return make("article", { class: "rx-detail" },
    make("header", {}, make("h3", {}, make("bdi", {}, r.id.slice(0, 200))), extra.place ? make("span", { class: "rx-soft" }, extra.place) : null,
      extra.links ? make("a", { href: link(r.id) }, "link to this response") : null,
      tag(r.arm === null ? "unlabelled" : side(data, r.arm)), r.source ? tag(`label: ${r.source}`) : null,
      r.status === "ok" ? null : tag(r.status, "bad"), data.groups.map((g, k) => bare(r.group[k]) ? null : tag(`${g}: ${r.group[k]}`))),
    r.note ? make("p", { class: "rx-note" }, "Note: ", make("bdi", {}, r.note)) : null,
    make("details", { open: !long }, make("summary", {}, "Prompt"), make("p", { class: "rx-prompt", dir: "auto" }, r.prompt)),
    ...parts.flat(), extra.person ?? null);
}

// ── the whole ─────────────────────────────────────────────────────────────────────────────────────────────
export function mount(root, given, options = {}) {
  const audits = given.audits ?? [given];
  audits.forEach(d => { d.byId = new Map(d.responses.map(r => [r.id, r])); });
  const series = audits.flatMap((data, a) => data.models.map((m, model) =>
    ({ a, data, model, byId: data.byId, name: audits.length > 1 ? `${data.name}: ${m.name}` : m.name })));
  const uid = `rx${Math.random().toString(36).slice(2, 8)}`;
  let s = { ...series[0], beside: null }, sort = "size", against = "previous step", words = "", brush = null;
  let chosen = {}, shown = [], at = 0, rows = new Map(), wait = null, noting = null;

  const histograms = make("div", { class: "rx-histograms" });
  const bar = make("div", { class: "rx-tools" }), more = make("div", { class: "rx-tools" });
  const narrow = root.clientWidth && root.clientWidth < 560;
  const filtering = make("details", { class: "rx-filters", open: !narrow }, make("summary", {}, "Filters"), more), status = make("p", { class: "rx-soft", role: "status" });
  const tall = make("div", { class: "rx-tall", role: "presentation" });
  const keep = make("button", { type: "button", title: "a CSV file with a row for each text", click: () =>
    save(`${s.data.attribute.name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.csv`, asCsv(s.data, shown)) });
  const list = make("div", { class: "rx-list", tabindex: 0, "aria-label": "Responses" }, tall);
  const pane = make("div", { class: "rx-pane" });
  const search = make("input", { type: "search", "aria-label": "Search", placeholder: "words, note or id", input: () => {
    clearTimeout(wait);
    wait = setTimeout(() => { words = search.value.trim().toLowerCase(); refilter(); }, WAIT);
  } });
  const range = [0, 1].map(k => make("input", { type: "number", step: "any", "aria-label": k ? "effect to" : "effect from",
    change: () => {
      const [a, b] = range.map((e, n) => e.value === "" ? [-Infinity, Infinity][n] : Number(e.value));
      setBrush(a === -Infinity && b === Infinity ? null : [a, b]);
    } }));

  function pick(label, entries, value, changed) {
    const select = make("select", { "aria-label": label, change: () => changed(select.value) },
      entries.map(([v, text]) => make("option", { value: v }, text)));
    select.value = value;
    return make("label", {}, make("span", {}, label), select);
  }

  function tools() {
    const d = s.data, names = series.map((x, k) => [String(k), x.name]);
    const mine = series.findIndex(x => x.data === d && x.model === s.model);
    const other = s.beside ? series.findIndex(x => x.data === s.beside.data && x.model === s.beside.model) : -1;
    const turn = (k, b) => {
      s = { ...series[k], beside: b >= 0 && b !== k ? series[b] : null };
      if (!(sort in sortings(s))) sort = "size";
      chosen = {}; brush = null; tools(); refilter();
    };
    bar.replaceChildren(
      ...(series.length > 1 ? [pick("Model", names, String(mine), v => turn(Number(v), other)),
        pick("Beside", [["-1", "nothing"], ...names.filter(([k]) => Number(k) !== mine)], String(other),
          v => turn(mine, Number(v)))] : []),
      pick("Sort by", Object.entries(sortings(s)).map(([k, [text]]) => [k, text]), sort, v => { sort = v; refilter(true); }),
      make("label", {}, make("span", {}, "Search"), search));
    more.replaceChildren(
      ...filters(d).map(([name, label, entries]) => pick(label, [["", "all"], ...entries], chosen[name] ?? "",
        v => { chosen[name] = v; refilter(); })),
      make("div", { class: "rx-range", role: "group", "aria-label": "Effect" }, make("span", {}, "Effect from … to"),
        make("span", {}, ...range)),
      pick("Mark changes against", ["previous step", "original", "nothing"].map(v => [v, v]), against,
        v => { against = v; show(); }));
  }

  function setBrush(ends) {
    brush = ends;
    range.forEach((e, k) => { e.value = brush && Number.isFinite(brush[k]) ? brush[k].toPrecision(3) : ""; });
    refilter();
  }

  function draw() {
    const width = Math.floor(histograms.clientWidth || root.clientWidth || 600);
    histograms.replaceChildren(histogram(s, width, brush, setBrush),
      ...(s.beside ? [histogram({ ...s.beside }, width, null, null)] : []));
  }

  function refilter(top = false) {
    const tests = filters(s.data).filter(([name]) => chosen[name]).map(f => r => f[3](r, chosen[f[0]]));
    if (words) tests.push(r => haystack(r).includes(words));
    if (brush) tests.push(r => within(r, s) !== null && within(r, s) >= brush[0] && within(r, s) <= brush[1]);
    const key = sortings(s)[sort][1], now = shown[at];
    shown = s.data.responses.filter(r => tests.every(t => t(r))).map(r => [key(r), r])
      .sort((a, b) => b[0] - a[0] || a[1].i - b[1].i || 0).map(([, r]) => r);
    at = top ? 0 : Math.max(shown.indexOf(now), 0);
    const out = s.data.responses.filter(r => r.flagged).length;
    status.textContent = `${counted(shown.length)} of ${counted(s.data.responses.length)} responses`
      + (s.data.n > s.data.responses.length ? ` on this page, ${counted(s.data.n)} in all` : "")
      + (out ? `; excluded by a person: ${counted(out)}` : "");
    keep.textContent = `Save ${counted(shown.length)} as CSV`;
    keep.hidden = !shown.length || (origin === "null" && location.protocol !== "file:"); // a sandboxed frame may not save
    for (const e of rows.values()) e.remove();
    rows = new Map();
    tall.style.height = `${shown.length * ROW}px`;
    list.style.height = `${Math.min(Math.max(shown.length, 1), 10) * ROW + 2}px`;
    list.setAttribute("role", shown.length ? "listbox" : "group");
    draw(); show(); reveal();
  }

  function row(k) {
    const r = shown[k], m = s.data.models[s.model], e = within(r, s), most = m.histogram
      ? Math.max(Math.abs(m.histogram.low), Math.abs(m.histogram.high)) : 1;
    const size = bare(e) ? 0 : Math.min(Math.abs(e) / most, 1) * 50;
    const other = s.beside ? second(r, s)[1] : null;
    const own = r.texts[0].text ?? "";
    return make("div", { class: "rx-row", role: "option", id: `${uid}-${k}`, style: `top: ${k * ROW}px`,
      "aria-selected": String(k === at), "aria-setsize": shown.length, "aria-posinset": k + 1, click: () => go(k) },
      make("span", { class: "rx-number" }, signed(e, m.digits)),
      s.beside ? make("span", { class: "rx-number rx-soft" }, signed(other, s.beside.data.models[s.beside.model].digits)) : null,
      make("span", { class: "rx-meter", "aria-hidden": "true" }, make("span", { class: e < 0 ? "rx-down" : "rx-up",
        style: `width: ${size}%; ${e < 0 ? "right" : "left"}: 50%` })),
      make("bdi", { class: "rx-arm" }, r.arm === null ? "unlabelled" : side(s.data, r.arm)),
      r.status === "ok" ? null : tag(r.status, r.status === "unchanged" ? "care" : "bad"),
      make("bdi", { class: "rx-snippet" }, own.slice(0, 200).replace(/\s+/g, " ")));
  }

  function renderRows() {
    const first = Math.max(Math.floor(list.scrollTop / ROW) - SPARE, 0);
    const end = Math.min(Math.ceil((list.scrollTop + (list.clientHeight || 10 * ROW)) / ROW) + SPARE, shown.length);
    for (const [k, e] of rows) if (k < first || k >= end) { e.remove(); rows.delete(k); }
    for (let k = first; k < end; k++) if (!rows.has(k)) { rows.set(k, row(k)); tall.append(rows.get(k)); }
    if (rows.has(at)) list.setAttribute("aria-activedescendant", `${uid}-${at}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function reveal() {
    const top = at * ROW, high = list.clientHeight || 10 * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ROW > list.scrollTop + high) list.scrollTop = top + ROW - high;
    renderRows();
  }

  function go(k, remember = true) {
    if (!shown.length) return;
    at = Math.min(Math.max(k, 0), shown.length - 1);
    for (const [n, e] of rows) e.setAttribute("aria-selected", n === at);
    reveal(); show();
    if (options.selected) options.selected(shown[at].id);
    clearTimeout(noting);
    if (remember && options.links) noting = setTimeout(() => {
      try { history.replaceState(null, "", link(shown[at].id)); } catch { /* in a frame that has no address */ }
    }, WAIT);
  }

  function person(data, r) {              // flag and note, where somebody is there to keep them
    if (!options.send) return null;
    const note = make("input", { type: "text", value: r.note ?? "", placeholder: "what is wrong with it",
      "aria-label": "note", keydown: e => { if (e.key === "Enter") send(r.flagged); } });
    const send = flagged => options.send({ kind: "mark", audit: audits.indexOf(data), id: r.id, flagged, note: note.value });
    return make("div", { class: "rx-person" }, note,
      make("button", { type: "button", click: () => send(!r.flagged) }, r.flagged ? "Take it back in" : "Exclude this response"),
      make("button", { type: "button", click: () => send(r.flagged) }, "Keep the note"),
      make("span", { class: "rx-soft", role: "status" }, r.said ?? ""));
  }

  function show() {
    if (!shown.length) {
      pane.replaceChildren(make("p", { class: "rx-soft" }, "No response fits these choices."));
      return;
    }
    const r = shown[at], extra = { place: `${counted(at + 1)} of ${counted(shown.length)}`, links: options.links };
    const parts = [detail(s.data, r, against, { ...extra, person: person(s.data, r) })];
    if (s.beside && s.beside.data !== s.data) {
      const other = second(r, s)[0];
      parts.push(other ? detail(s.beside.data, other, against, { person: person(s.beside.data, other) })
        : make("p", { class: "rx-soft" }, `This response is not in ${s.beside.data.name}.`));
      [s.data, s.beside.data].forEach((d, k) => parts[k].prepend(make("p", { class: "rx-audit" }, make("bdi", {}, d.name))));
    }
    pane.classList.toggle("rx-two", parts.length > 1);
    pane.replaceChildren(...parts);
  }

  function select(id) {                   // by its id: from a deep link, or from Python
    if (!s.byId.has(id)) {
      const holder = series.find(x => x.byId.has(id));
      if (!holder) {
        status.textContent = `Response ${id} is not among the texts shown here; all are in the Parquet files of the run.`;
        return false;
      }
      s = { ...holder, beside: null }; tools();
    }
    let k = shown.findIndex(r => r.id === id);
    if (k < 0) {
      chosen = {}; words = ""; search.value = ""; setBrush(null); tools();
      k = shown.findIndex(r => r.id === id);
    }
    go(k, false);
    return true;
  }

  function fromHash(scroll) {
    if (!location.hash.startsWith("#response-")) return;
    let id = location.hash.slice("#response-".length);
    try { id = decodeURIComponent(id); } catch { return; }
    if (select(id) && scroll) root.scrollIntoView({ block: "start" });
  }

  function onKey(e) {
    const typing = e.target.matches?.("input, textarea, select");
    if (e.key === "Escape" && typing) { list.focus(); e.preventDefault(); }
    if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
    const inList = e.target === list || e.target === document.body;
    const steps = { j: 1, k: -1, ...(inList ? { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10,
      Home: -Infinity, End: Infinity } : {}) };
    if (e.key === "/") search.focus();
    else if (e.key in steps && (e.target !== document.body || "jk".includes(e.key))) go(at + steps[e.key]);
    else return;
    e.preventDefault();
  }

  function received(m) {                  // what Python says about a flag or a note
    const r = audits[m.audit]?.byId.get(m.id);
    if (!r) return;
    if (m.kind === "marked") {
      r.was ??= r.status === "flagged" ? "ok" : r.status;
      Object.assign(r, { flagged: m.flagged, note: m.note, words: undefined, status: m.flagged ? "flagged" : r.was });
    }
    r.said = m.said;
    tools(); refilter();
  }

  root.classList.add("rate-explorer");
  root.replaceChildren(...audits.flatMap(d => d.said.map(t => make("p", { class: "rx-said" },
    audits.length > 1 ? make("bdi", {}, `${d.name}: `) : null, t))), histograms, bar, filtering, make("div", { class: "rx-listed" }, status, keep), list, pane,
    make("p", { class: "rx-soft rx-keys" }, "Keys: j and k, or arrows in the list, for the next and the previous response; "
      + "/ to search; Esc back to the list. Drag over the distribution to list a part of it."));
  list.addEventListener("scroll", () => requestAnimationFrame(renderRows), { passive: true });
  root.addEventListener("keydown", e => { onKey(e); e.stopPropagation(); });
  if (options.links) {
    document.addEventListener("keydown", e => {
      const box = root.getBoundingClientRect();
      if (e.target === document.body && box.top < innerHeight && box.bottom > 0) onKey(e);
    });
    addEventListener("hashchange", () => fromHash(true));
  }
  let width = 0;
  new ResizeObserver(() => { if (Math.abs(root.clientWidth - width) > 1) { width = root.clientWidth; draw(); renderRows(); } })
    .observe(root);
  if (!series.length) { root.replaceChildren(make("p", {}, "There is nothing to explore: no response was scored.")); return { received }; }
  tools(); refilter(true);
  if (options.links) fromHash(true);
  return { received, select };
}

// ── in JupyterLab: the texts come in one message and never become state of the notebook ───────────────────
function render({ model, el }) {
  const root = make("div", { class: "rate-explorer" }, make("p", { class: "rx-soft" }, "Waiting for the kernel …"));
  el.append(root);
  const suppress = e => e?.setAttribute?.("data-lm-suppress-shortcuts", "true");
  suppress(root); root.addEventListener("focusin", e => { suppress(e.target); suppress(el.closest(".jp-OutputArea")); }, true);
  let ui = null;
  const heard = (m, buffers) => {
    if (m.kind === "data" && !ui) {
      const view = buffers[0], bytes = view.buffer ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : view;
      ui = mount(root, JSON.parse(new TextDecoder().decode(bytes)), { send: message => model.send(message),
        selected: id => { model.set("selected", id); model.save_changes(); } });
      if (model.get("selected")) ui.select(model.get("selected"));
    } else if (ui) ui.received(m);
  };
  const turned = () => ui?.select(model.get("selected"));
  model.on("msg:custom", heard);
  model.on("change:selected", turned);
  model.send({ kind: "ready" });
  return () => { model.off("msg:custom", heard); model.off("change:selected", turned); };
}

export default { render };
