"What comes from outside and is shown, opened or run: ids, names, files, templates, pages in a browser"
import csv, html, http.client, io, os, subprocess
import pandas as pd, pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rate_nb.base.core import InputError, ModelError, RateError, SchemaError, check_table, visible
from rate_nb.base.display import Progress, escape, markdown_table
from rate_nb.base.files import read_json, read_table, read_written, read_yaml, write_csv, write_tables
from rate_nb.batch.cli import _joined_dashes
from rate_nb.batch.notebooks import _literal, run_notebooks
from rate_nb.checkpoints.encoding import chat_text, check_template
from rate_nb.checkpoints.loading import check_folder, tiny_tokenizer
from rate_nb.llm.calls import unkeyed
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.views import report

ACTING = "\x1b]0;title\x07\x1b[2J\x9b31m\u202eevil\u2066\ud800\x7f"
LINK = ("![x](http://tracker.example/a.png) [y][z] <http://a.example> <img src=x onerror=alert(1)> "
        "\\(\\href{a}{b}\\)")


def test_no_id_or_name_acts_where_it_is_shown():
    whole = ACTING.replace("\ud800", "") # no column can hold it
    shown = [escape(ACTING + LINK), markdown_table(pd.DataFrame({f"a{whole}{LINK}": [whole + LINK]})),
             str(RateError(ACTING)), str(InputError(ACTING)), unkeyed(ACTING)]
    with Progress(2, f"Asking {ACTING}") as bar:
        bar.update(1, f"1 {ACTING}")
        shown.append(str(bar))
    for text in shown:
        assert not set("\x1b\x07\x9b\x7f\u202e\u2066\ud800") & set(text) and "evil" in text, text
    for text in shown[:2]:
        assert not any(acts in text for acts in ("](", "][", "://", "<img", "\\"))
    assert html.unescape(escape(LINK)) == LINK
    for acts in (*"\r\x85\u2028\u202d\u2067\u206a\u206f\ufffb\ufffe", "\x9b", "\x90"):
        assert acts not in visible(f"a{acts}b") and visible(f"a{acts}b") != "ab"
    assert visible("a line\r\nanother") == "a line\nanother"
    for link in ("www.tracker.example", "WWW.tracker.example", "a@tracker.example", "mailto:a@b.org"):
        assert link not in markdown_table(pd.DataFrame(dict(a=[link])))
        assert html.unescape(escape(link)) == link
    assert visible(kept := "שלום\u200f, naïve 👩\u200d🚀\n") == kept


def test_no_cell_of_a_csv_runs(tmp_path):
    words = [
        "=1+1", "+1", "-1", "@A1", "\tx", "\rx", "'=x", "'plain", "plain", " =1", "\u00a0+1",
        "\n=1", "\ufeff=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20x", "a;=1", "a\n=1", "− 1"]
    table = pd.DataFrame({"=name": words, "value": [-1.5, *range(2, len(words) + 1)]})
    file = write_csv(table, tmp_path/"t.csv")
    raw = pd.read_csv(file, dtype=str)
    runs = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
    assert not any(c.startswith(runs) or c.lstrip("\ufeff\u200b \u00a0\n").startswith(runs)
                   for c in (*raw.columns, *raw.iloc[:, 0]))
    assert raw.value[0] == "-1.5" and read_written(file).equals(table)


STARTS = [chr(i) for i in range(256)] + list("\u200b\ufeff\uff0b\uff0d\uff1d\uff20\u2028é😀")

@pytest.mark.parametrize("more", [[], [None], ["a\rb"]])
@pytest.mark.parametrize("texts", [
    [""], ["plain"], ["'=x", "''", "'"], STARTS, [c + "x" for c in STARTS], [c + "=x" for c in STARTS],
    ["a\0b", "a"], ["a\n=1\0", '"', 'a"b', "1", "1.50"], [None, "a"], [None, None]])
def test_a_csv_is_the_same_however_pandas_keeps_its_texts(texts, more, tmp_path):
    kept = [pd.Series(texts + more, dtype=kind) for kind in ("str", "string", object, "category")]
    files = [write_csv(pd.DataFrame(dict(text=k, n=.1)), tmp_path/f"{i}.csv") for i, k in enumerate(kept)]
    assert len({file.read_bytes() for file in files}) == 1
    back = read_written(files[0], keep_default_na=False, dtype=str).text
    assert back.tolist() == [(t or "").replace("\0", "\ufffd") for t in texts + more]


@pytest.mark.parametrize("text, why", [
    ("a: &a [x, x]\n" + "\n".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 9)}]"
                                   for m, n in zip("abcdefgh", "bcdefghi")), "more than 100,000 values"),
    ("a: &a {x: 1}\n" + "\n".join(f"{n}: &{n} {{<<: [{', '.join([f'*{m}'] * 9)}]}}"
                                   for m, n in zip("abcdefgh", "bcdefghi")), "more than 100,000 values"),
    ("a: &a [" + "1, " * 3000 + "]\nb: [" + "*a, " * 3000 + "]", "more than 100,000 values"),
    ("[" * 2000 + "]" * 2000, "recursion"), ("&a [*a]", "more than 100,000 values"),
    ("[*a]", "undefined alias"),
    ("a: 1\na: 2", "'a' stands there twice"), ("at: 12:30", "YAML takes 12:30 for the number 750"),
    ("mode: 0777", "YAML takes 0777 for the number 511"), ("id: 007", "YAML takes 007 for the number 7"),
    ("!!python/object/apply:os.system [ls]", "constructor")])
def test_no_yaml_grows_as_it_is_read(text, why, tmp_path):
    (file := tmp_path/"c.yaml").write_text(text)
    with pytest.raises(InputError, match=why):
        read_yaml(file, "`--config`")
    file.write_text("p: &p {a: 1, c: 0.5, e: 1.e-3, z: 0}\nruns: [{<<: *p, b: 2}, {<<: *p, b: '010'}]")
    assert read_yaml(file, "the grid")["runs"][1] == dict(a=1, b="010", c=.5, e=.001, z=0)


def test_a_column_has_a_name_of_its_own(tmp_path):
    names = "example_id prompt_id prompt response w w".split()
    table = pd.DataFrame([["e", "p", "x", "y", 1, 0]], columns=names)
    with pytest.raises(SchemaError, match="there twice: 'w'"):
        check_table(table, "examples")
    (file := tmp_path/"t.csv").write_text("response,w,w\na,1,0\n")
    with pytest.raises(InputError, match="there twice: 'w'"):
        read_table(file)


@pytest.mark.parametrize("text, why", [("[" * 100_000, "nested too deeply"),
                                       ('{"a": ' + "9" * 400 + "}", "400 digits"),
                                       ('{"a": ' + "9" * 9000 + "}", "9,000 digits")])
def test_deep_and_huge_json_is_a_clear_error(text, why, tmp_path):
    (file := tmp_path/"t.json").write_text(text)
    with pytest.raises(InputError, match=why):
        read_json(file)
    (rows := tmp_path/"t.jsonl").write_text(text)
    with pytest.raises(InputError, match=why):
        read_table(rows)


def test_no_page_in_a_browser_reads_the_dry_run_endpoint():
    def status(box, **headers):
        line = http.client.HTTPConnection("127.0.0.1", box.port, timeout=5)
        line.request("GET", "/v1/batches", headers={k.replace("_", "-"): v for k, v in headers.items()})
        return line.getresponse().status
    with Sandbox() as box:
        here = f"localhost:{box.port}"
        assert status(box) == status(box, Host=here, Origin=f"http://{here}") == 200
        for headers in (dict(Host="evil.example"), dict(Host=f"evil.example:{box.port}"),
                        dict(Origin="http://evil.example"), dict(Origin="null"),
                        dict(Sec_Fetch_Site="cross-site"),
                        dict(Host=f"127.0.0.1.evil.example:{box.port}")):
            assert status(box, **headers) == 403, headers


@pytest.mark.parametrize("user", [0, 1000])
def test_chromium_keeps_its_sandbox_unless_root(user, monkeypatch, tmp_path):
    commands = []
    def run(command, **options):
        commands.append(command)
        raise subprocess.SubprocessError
    monkeypatch.setattr(report.os, "geteuid", lambda: user)
    monkeypatch.setattr(report.shutil, "which", lambda name: "/bin/chromium")
    monkeypatch.setattr(report.subprocess, "run", run)
    with pytest.raises(RateError, match="could not print"):
        report.to_pdf(tmp_path/"r.html", tmp_path/"r.pdf")
    assert ("--no-sandbox" in commands[0]) == (user == 0)


def test_a_folder_may_have_braces_or_a_dash():
    for path in ("runs/{x}/a.ipynb", "{0}", "}{", "-x/y"):
        filled = _literal(path).format(x="elsewhere") # as papermill fills in parameters
        assert os.path.normpath(filled) == path and not filled.startswith("-") # that is its standard output
    assert _joined_dashes(["demo", "--run-dir", "-x", "--n", "3"]) == ["demo", "--run-dir=-x", "--n", "3"]


@pytest.mark.parametrize("name, what, why", [
    ("config.json", "[" * 100_000, "not JSON: lists or objects are nested too deeply"),
    ("config.json", '{"a": ' + "9" * 9000 + "}", "9,000 digits"), ("config.json", "[]", "must hold an o"),
    ("config.json", "\xff", "not JSON"), ("config.json", None, "a pipe or a device"),
    ("tokenizer_config.json", "{", "not JSON"), ("tokenizer.json", 200_000_001, "has 200,000,001"),
    ("anything.json", 50_000_001, "has 50,000,001"), ("chat_template.jinja", 50_000_001, "has 50,000,001"),
    ("model.safetensors.index.json", '{"weight_map": 7}', "lacks model.safetensors.index.json"),
    ("model.safetensors.index.json", '{"weight_map": {"a": 7}}', "lacks 7")])
def test_no_model_directory_is_read_without_end(name, what, why, tmp_path):
    for whole in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path/whole).write_text("{}")
    assert check_folder(tmp_path) == tmp_path
    (tmp_path/name).unlink(missing_ok=True)
    if what is None:
        os.mkfifo(tmp_path/name)
    elif isinstance(what, int):
        with open(tmp_path/name, "wb") as f:
            f.truncate(what)
    else:
        (tmp_path/name).write_text(what, encoding="latin-1")
    with pytest.raises(ModelError, match=why):
        check_folder(tmp_path)


LOOPS = "".join(f"{{% for {v} in range(9999) %}}" for v in "abc") + "{% endfor %}" * 3
GREEDY = {"loops": LOOPS, "doubled": "{% set s = 'a' %}" + "{% set s = s ~ s %}" * 40,
          "padded": "{{ '{:300000000}'.format('a') }}", "a power": "{{ 9 ** (9 ** 9) }}",
          "compared in C": "{% set a, b = [1], [1] %}" + "{% set a, b = [a, a], [b, b] %}" * 40
                           + "{{ a == b }}",
          "printed": "{% set a = [1] %}" + "{% set a = [a, a] %}" * 40 + "{{ a }}",
          "a macro of itself": "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
          "only for a long text": "{% if messages[0].content|length > 9999 %}" + LOOPS + "{% endif %}",
          "only with a system message": "{% if messages[0].role == 'system' %}" + LOOPS + "{% endif %}",
          "only with tools": "{% if tools %}" + LOOPS + "{% endif %}"}

@pytest.mark.parametrize("kind", GREEDY)
def test_no_template_takes_without_end(kind):
    with pytest.raises(ModelError, match="asks for too much"):
        chat_text(tiny_tokenizer(template=GREEDY[kind]), "Hi", "Hello")


CHAT = "{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] | trim }}{{ eos_token }}\n{% endfor %}"
USUAL = {"plain": CHAT, "long itself": "{# " + "x" * 250_000 + " #}" + CHAT,
         "marks its reply": CHAT + "{% if messages %}{% generation %}x{% endgeneration %}{% endif %}",
         "reads letters": "{% for m in messages %}{% for c in m.content %}{{ c }}{% endfor %}{% endfor %}",
         "cuts": CHAT.replace("trim", "truncate(20000)"), "indents": CHAT.replace("trim", "indent(120)"),
         "refuses": CHAT + "{{ raise_exception('no system message') }}", "is broken": "{% for %}"}

@pytest.mark.parametrize("kind", USUAL)
def test_usual_templates_pass_the_limits(kind, monkeypatch):
    check_template(USUAL[kind], tiny_tokenizer())
    monkeypatch.setattr("rate_nb.checkpoints.encoding.subprocess.run", None) # no second process
    check_template(USUAL[kind], tiny_tokenizer())


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8) | st.sampled_from(
    ["=1+1", "+1", "-1", "@A1", "\tx", "\rx", "\r\n", "'", "''", "'=1", "''=1", "'tis", "- a list\n- of two",
     " =1", '"', '=",', "NA", "null", "1.0", "true", "", "\n", "\ufeff=1"])


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(CELLS, min_size=1, max_size=5), name=st.sampled_from(["response", "=run", "'", "+"]),
       numbers=st.floats(allow_nan=False, allow_infinity=False))
def test_a_table_comes_back_as_it_was_written(tmp_path_factory, texts, name, numbers):
    table = pd.DataFrame({name: texts, "reward": [numbers] * len(texts)})
    file = write_tables(table, tmp_path_factory.mktemp("t")/"t.csv")
    as_text = dict.fromkeys((name, "'" + name), str)
    assert read_written(file, dtype=as_text, keep_default_na=False)[name].tolist() == texts
    read = read_table(file, verbatim=(name, "'" + name))
    assert read[name].fillna("").tolist() == texts and read.reward.tolist() == table.reward.tolist()
    assert pd.read_csv(file).reward.dtype == float # a spreadsheet reckons with it
    assert read_table(file.with_suffix(".parquet")).equals(table)
    cells = list(csv.reader(io.StringIO(file.read_bytes().decode(), newline="")))
    assert not any(c[:1] in tuple("=+-@\t\r") and c for row in cells for c in row[:1])


def test_what_no_file_can_carry_is_written_all_the_same(tmp_path):
    odd = pd.Series(["\ud800a\0", None, "=1"], dtype=object)
    table = pd.DataFrame({"text": odd, "any": [1, "a", [2]], 3: [1., None, 3.],
                          "kind": pd.Categorical(["=a", "'b", "=a"])})
    read = read_table(write_tables(table, tmp_path/"t.csv"))
    assert read.text.tolist()[::2] == ["\ufffda\ufffd", "=1"] and read.kind.tolist() == ["=a", "'b", "=a"]
    exact = pd.read_parquet(tmp_path/"t.parquet")
    assert exact["any"].tolist() == ["1", "a", "[2]"] and exact["3"].tolist()[::2] == [1, 3]


def test_every_run_writes_its_tables_so():
    for name, path in run_notebooks().items():
        assert ".to_csv(" not in path.read_text(encoding="utf-8"), f"{name}: write_tables or write_csv"


def test_a_key_goes_and_other_words_stay():
    assert unkeyed("the latest test of a tester: 'test'", "test") == "the latest … of a tester: '…'"
    for kept in ("Basic authentication is required", "Bearer token is missing.", "a bearer of news"):
        assert unkeyed(kept) == kept
    for said in ("Bearer abc123", "basic dXNlcjpwYXNz", "Bearer " + "a"*24, "bearer a.b_c"):
        assert unkeyed(f"got {said}, no more").split() == ["got", said.split()[0], "…,", "no", "more"]
    long = "abcdefgh12345678901"
    assert long not in unkeyed(f"x{long}y", long)
