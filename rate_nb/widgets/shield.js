export default { render({ el }) {
  el.style.display = "none";
  let tries = 0;
  const guard = () => {
    const lab = el.closest(".rate-lab"), area = el.closest(".jp-OutputArea") || lab;
    if (!lab) { if (tries++ < 200) setTimeout(guard, 25); return; }
    const suppress = (node) => node?.setAttribute?.("data-lm-suppress-shortcuts", "true");
    suppress(lab); suppress(area);
    lab.addEventListener("focusin", (e) => suppress(e.target), true);
    if (lab.contains(document.activeElement)) suppress(document.activeElement);
    const mend = () => { // sliders get names, and a chart that has to be scrolled can be reached by keyboard
      lab.querySelectorAll(".noUi-handle:not([aria-label])").forEach(handle => {
        const said = handle.closest(".widget-inline-hbox")?.querySelector(".widget-label")?.textContent;
        if (said) handle.setAttribute("aria-label", said);
      });
      lab.querySelectorAll(".rate-drawn").forEach(chart => { chart.tabIndex = 0; });
    };
    mend();
    new MutationObserver(mend).observe(lab, { childList: true, subtree: true });
    lab.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
      e.preventDefault(); e.stopPropagation();
      if (document.activeElement) document.activeElement.blur();
      setTimeout(() => lab.querySelector("button.rate-main:not([disabled])")?.click(), 60);
    }, true);
  };
  guard();
} }
