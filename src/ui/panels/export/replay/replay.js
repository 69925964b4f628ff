/* The script of a run that was saved as a page: draws its curve, and the rollouts of the step under the scrubber. */
/** @type {import('../exported-run').ReplayData} */
const run = JSON.parse(document.getElementById('run')?.textContent ?? '');
const { words, points, changes, rollouts } = run;
const last = points.at(-1)?.[0] ?? 1;
const width = 720;
const height = 260;

/** @type {(name: string, attributes: Record<string, unknown>, ...children: (string | Node)[]) => HTMLElement} */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** @type {(name: string, attributes: Record<string, string>) => SVGElement} */
function drawn(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return /** @type {SVGElement} */ (made);
}

/** @type {(step: number) => number} */
const x = (step) => 8 + ((step - 1) / Math.max(1, last - 1)) * (width - 16);
/** @type {(share: number) => number} */
const y = (share) => height - 8 - share * (height - 16);

/** @type {(column: 1 | 2, kind: string) => SVGElement} */
function line(column, kind) {
  const measured = points.flatMap((point) => (point[column] === null ? [] : [[x(point[0]), y(point[column])]]));
  const d = measured.map((place, i) => (i === 0 ? 'M' : 'L') + place.join(' ')).join('');
  return drawn('path', { d: measured.length === 1 ? d + 'h3' : d, class: kind });
}

const svg = drawn('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words.curve });
for (const share of [0, 0.5, 1]) svg.append(drawn('path', { d: `M8 ${y(share)}H${width - 8}`, class: 'grid' }));
for (const change of changes) svg.append(drawn('path', { d: `M${x(change + 0.5)} 0V${height}`, class: 'change' }));
const mark = drawn('path', { d: '', class: 'mark' });
svg.append(line(2, 'practice'), line(1, 'unseen'), mark);

const range = { type: 'range', min: 1, max: last, step: 1, 'aria-label': words.step };
const slider = /** @type {HTMLInputElement} */ (element('input', range));
const place = element('output', {});
const play = element('button', { type: 'button' }, words.play);
const shown = element('section', { 'aria-label': words.attempts });

/** @type {(share: number | null | undefined) => string} */
const percent = (share) => (share == null ? '–' : `${Math.round(share * 100)} %`);

/** @type {(rollout: import('../exported-run').ReplayRollout) => HTMLElement} */
function card(rollout) {
  const lines = rollout.lines.map(({ who, text }) =>
    element('p', { class: 'line' }, element('b', {}, who), ' ', element('span', {}, text)),
  );
  const head = `${rollout.success ? '✓' : '✗'} ${words.reward} ${rollout.reward}`;
  return element('article', { class: rollout.success ? 'good' : 'bad' }, element('h3', {}, head), ...lines);
}

/** Shows the step under the scrubber, and of everything the newest that is not after it. */
function show() {
  const step = Number(slider.value);
  const point = points.findLast(([at]) => at <= step);
  const unseen = points.findLast(([at, share]) => at <= step && share !== null);
  mark.setAttribute('d', `M${x(step)} 0V${height}`);
  const shares = `${words.unseen} ${percent(unseen?.[1])} · ${words.practice} ${percent(point?.[2])}`;
  place.textContent = point ? `${words.step} ${step} / ${last} · ${shares}` : words.empty;
  const at = (rollouts.findLast(({ iteration }) => iteration <= step) ?? rollouts[0])?.iteration;
  const title = at === undefined ? words.noAttempts : `${words.attempts}, ${words.step} ${at}`;
  const here = rollouts.filter(({ iteration }) => iteration === at);
  shown.replaceChildren(element('h2', {}, title), ...here.map(card));
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

document
  .querySelector('main')
  ?.append(
    element('h1', {}, run.name),
    element('p', {}, `${run.title}. ${run.made} `, element('a', { href: run.link, rel: 'noreferrer' }, words.open)),
    ...(run.note ? [element('p', {}, run.note)] : []),
    svg,
    element(
      'p',
      { class: 'legend' },
      `━ ${words.unseen}   ┅ ${words.practice}${changes.length > 0 ? `   ┆ ${words.changed}` : ''}`,
    ),
    element('div', { class: 'bar' }, play, slider),
    place,
    shown,
  );
slider.value = String(last);
show();
