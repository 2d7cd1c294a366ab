"""Small charts of the lessons, from tables that their cells have made."""
import altair as alt
from rate_nb.plots import finish_chart


def lines(
    table,       # a DataFrame: x values as its index, one line a column
    x,           # title of the x axis, with its unit
    y,           # title of the y axis, with its unit
    title,       # the finding
    said,        # the same facts in words
    notes=(),    # what the marks mean
    log=False,   # is the x axis logarithmic?
):               # a line chart
    "Columns of a table as lines over its index"
    if table.index.dtype.kind in "if":
        place = alt.X("x:Q", title=x, scale=alt.Scale(type="log" if log else "linear", zero=False))
    else:
        place = alt.X("x:O", title=x, sort=None, axis=alt.Axis(labelAngle=0))
    long = table.astype(float).rename_axis("x").reset_index().melt("x", var_name="line", value_name="y")
    chart = alt.Chart(long).mark_line(point=True).encode(
        x=place, y=alt.Y("y:Q", title=y, scale=alt.Scale(zero=False)),
        color=alt.Color("line:N", title=None, sort=None, legend=alt.Legend(labelLimit=300)))
    return finish_chart(chart.properties(width=420, height=220), title, list(notes), said)
