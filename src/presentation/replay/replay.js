/**
 * The script of a run that was saved as a page: shows the iteration under the scrubber, plays from there, and steps
 * through the drawings of its rollouts.
 */
/** @typedef {import('../../share/scenes/svg').SceneElement} SceneElement */
/** @type {import('./data').ReplayData} */
const { words, points, box, elements, drawings } = JSON.parse(document.getElementById('run')?.textContent ?? '');
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

/** @type {(tag: string, attributes: SceneElement['attributes']) => SVGElement} */
function svgOf(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @type {(place: number) => SVGElement} */
function elementAt(place) {
  const { tag, attributes, text } = elements[place];
  const element = svgOf(tag, attributes);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A rollout's drawing with a scrubber, at its end first. */
for (const [i, article] of document.querySelectorAll('article').entries()) {
  const drawing = drawings[i];
  if (!drawing) continue;
  const picture = svgOf('svg', { viewBox: `0 0 ${drawing.width} ${drawing.height}`, role: 'img' });
  const scrubber = document.createElement('input');
  const end = drawing.scenes.length - 1;
  Object.assign(scrubber, { type: 'range', min: '0', max: String(end), value: String(end), ariaLabel: words.turn });
  const draw = () => {
    const scene = drawing.scenes[Number(scrubber.value)];
    picture.setAttribute('aria-label', scene.words);
    picture.replaceChildren(...scene.of.map(elementAt));
  };
  scrubber.addEventListener('input', draw);
  const box = document.createElement('div');
  box.className = 'drawing';
  box.append(picture, scrubber);
  article.querySelector('h3')?.after(box);
  draw();
}
show();
