// A lesson's slider chooses among pictures that were computed when the site was built.
for (const slide of document.querySelectorAll(".rate-slide")) {
  const frames = JSON.parse(slide.querySelector("script").textContent);
  const [dial, input, said, title, drawn] =
    [".rate-dial", "input", "output", ".rate-finding", ".rate-frame"].map(s => slide.querySelector(s));
  const show = () => {
    const frame = frames[input.value];
    said.textContent = frame.value;
    input.setAttribute("aria-valuetext", frame.value);
    title.textContent = frame.title;
    drawn.innerHTML = frame.svg;
  };
  input.addEventListener("input", show);
  dial.hidden = false;
  show();
}
