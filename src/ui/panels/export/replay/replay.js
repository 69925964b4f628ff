/* The script of a run that was saved as a page: shows the iteration under the scrubber, and plays from there. */
/** @type {import('../exported-run').ReplayData} */
const { words, points, box } = JSON.parse(document.getElementById('run')?.textContent ?? '');
const last = points.at(-1)?.[0] ?? 1;
const slider = /** @type {HTMLInputElement} */ (document.querySelector('input'));
const play = /** @type {HTMLButtonElement} */ (document.querySelector('button'));
const place = /** @type {HTMLOutputElement} */ (document.querySelector('output'));
const mark = document.getElementById('mark');
const sections = Array.from(document.querySelectorAll('section'));

/** @type {(share: number | null | undefined) => string} */
const percent = (share) => (share == null ? '–' : `${Math.round(share * 100)} %`);

/** Shows the step under the scrubber, and of everything the newest that is not after it. */
function show() {
  const step = Number(slider.value);
  const point = points.findLast(([at]) => at <= step);
  const unseen = points.findLast(([at, share]) => at <= step && share !== null);
  const shares = `${words.unseen} ${percent(unseen?.[1])} · ${words.practice} ${percent(point?.[2])}`;
  place.textContent = point ? `${words.step} ${step} / ${last} · ${shares}` : words.empty;
  const x = box.left + ((step - 1) / Math.max(1, last - 1)) * (box.width - box.left - box.right);
  mark?.setAttribute('d', `M${x} ${box.top}V${box.height - box.bottom}`);
  const shown = sections.findLast(({ dataset }) => Number(dataset.at) <= step) ?? sections[0];
  for (const section of sections) section.hidden = section !== shown;
}

let timer = 0;

function pause() {
  clearInterval(timer);
  timer = 0;
  play.textContent = words.play;
}

function advance() {
  if (Number(slider.value) >= last) return pause();
  slider.value = String(Number(slider.value) + Math.max(1, Math.round(last / 100)));
  show();
}

play.addEventListener('click', () => {
  if (timer) return pause();
  if (Number(slider.value) >= last) slider.value = '1';
  play.textContent = words.pause;
  timer = Number(setInterval(advance, 100));
});
slider.addEventListener('input', () => {
  pause();
  show();
});
show();
