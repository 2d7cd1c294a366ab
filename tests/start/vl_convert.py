"""The real vl_convert, with one thing kept: the scripts of a page that shows a chart.

They are the same in every page, and putting them together takes 1.5 seconds of CPU in each process. The first
process that the tests start leaves a page in their cache, and the others put their own chart into it.
"""
import json, os
from real import load

real, MARK = load(__name__), "the chart goes here"
whole = real.vegalite_to_html


def vegalite_to_html(vl_spec, bundle=None, **options):
    cache = os.environ.get("RATE_NB_CACHE")
    if options or not (bundle and cache and os.path.isdir(cache)):
        return whole(vl_spec, bundle=bundle, **options)
    kept = os.path.join(cache, f"chart-page-{real.__version__}.html")
    if not os.path.exists(kept):
        with open(f"{kept}.{os.getpid()}", "w", encoding="utf-8") as f:
            f.write(whole({"description": MARK}, bundle=True))
        os.replace(f.name, kept)
    with open(kept, encoding="utf-8") as f:
        before, after = f.read().split(json.dumps({"description": MARK}, separators=(",", ":")))
    chart = json.loads(vl_spec) if isinstance(vl_spec, str) else vl_spec
    return before + json.dumps(chart, separators=(",", ":"), ensure_ascii=False) + after


real.vegalite_to_html = vegalite_to_html
