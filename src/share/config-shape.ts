/**
 * Whether a value that was stored has the outline of a run's config, so that a page can list it. Another version may
 * have stored it, so it need not be valid: only the trainer decides whether it can be trained.
 */

/** Parts of every config that hold settings. */
const sections = [
  'environment',
  'model',
  'text',
  'warmStart',
  'algorithm',
  'critic',
  'shaping',
  'filter',
  'rollout',
  'optimizer',
  'rewards',
  'evaluation',
];
/** Options are three objects deep. */
const maxDepth = 3;

export function hasConfigShape(value: unknown): boolean {
  if (!isRecord(value) || !isPlain(value, maxDepth)) return false;
  if (!sections.every((name) => isRecord(value[name]))) return false;
  const { environment, warmStart, algorithm, seed, iterations } = value as Record<string, Record<string, unknown>>;
  const { name, options, source, rows, rowsDigest } = environment;
  const own = [source, rows, rowsDigest, warmStart.rounds].filter((each) => each !== undefined);
  const texts = [name, algorithm.name, ...own].every((each) => typeof each === 'string');
  return texts && isRecord(options) && Number.isInteger(seed) && Number(iterations) >= 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects of texts, finite numbers and switches. */
function isPlain(value: unknown, depth: number): boolean {
  if (isRecord(value)) return depth > 0 && Object.values(value).every((each) => isPlain(each, depth - 1));
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
