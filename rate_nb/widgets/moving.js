const rows = columns => {
  const names = Object.keys(columns);
  return (columns[names[0]] ?? []).map((_, i) => Object.fromEntries(names.map(n => [n, columns[n][i]])));
};
const painted = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 60); });
function render({ model, el }) {
  const [said, drawn, veil, at] = ["p", "div", "div", "div"].map(tag => document.createElement(tag));
  const frames = [];
  el.classList.add("rate-moving");
  said.className = "rate-finding";
  drawn.setAttribute("role", "img"); // Vega takes the attributes of `at` for its own
  drawn.className = "rate-drawn";
  drawn.tabIndex = 0; // it may have to be scrolled
  veil.setAttribute("aria-hidden", "true"); // and gives its marks roles without names
  veil.append(at);
  drawn.append(veil);
  el.append(said, drawn);
  let api = null, embedded = "", drawnWith = {}, busy = false, gone = false;
  const show = async ({ spec, frame }) => {
    const wanted = JSON.stringify(spec);
    const texts = {};
    for (const [name, columns] of Object.entries(frame.data)) texts[name] = JSON.stringify(columns);
    const tables = Object.entries(frame.data).map(([name, columns]) => [name, rows(columns)]);
    if (wanted !== embedded) {
      api?.finalize();
      const whole = { ...JSON.parse(wanted), datasets: Object.fromEntries(tables) };
      api = await vegaEmbed(at, whole, { actions: false, renderer: "svg", tooltip: false });
      embedded = wanted;
      el.dataset.embedded = Number(el.dataset.embedded ?? 0) + 1;
    } else {
      const moved = tables.filter(([name]) => texts[name] !== drawnWith[name]);
      for (const [name, values] of moved) api.view.data(name, values);
      await api.view.runAsync();
    }
    drawnWith = texts;
    said.textContent = frame.title;
    drawn.setAttribute("aria-label", frame.description);
    await painted();
    el.dataset.shown = frame.number;
    el.dispatchEvent(new CustomEvent("rate-shown", { bubbles: true, detail: frame.number }));
  };
  const go = async () => { // one at a time, in the order of arrival
    if (busy) return;
    busy = true;
    while (frames.length && !gone) {
      try { await show(frames.shift()); }
      catch (error) {
        said.textContent = `The chart cannot be drawn: ${error.message}`;
        console.error(error);
      }
    }
    busy = false;
  };
  const take = () => {
    const frame = model.get("frame");
    if (frame.number) frames.push({ spec: model.get("spec"), frame });
    go();
  };
  model.on("change:frame", take);
  take();
  return () => { gone = true; model.off("change:frame", take); api?.finalize(); };
}
export default { render };
