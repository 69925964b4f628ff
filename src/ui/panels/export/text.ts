/** Sentences of exported files, and of the menu that makes them. */
import { withStop } from '../../../lib/sentences';

export const text = {
  menuOf: (name: string) => `Export: ${name}`,
  failed: (reason: string) => `The file could not be made: ${withStop(reason)}`,
  unknown: 'unknown',
  noCurve: 'There is no iteration to export yet.',
  kinds: {
    html: { name: 'Replay', about: 'one HTML file with curve, rollouts and drawings; opens without a network' },
    card: { name: 'Model card', about: 'Markdown for Hugging Face; its first lines say how to make the run again' },
    json: { name: 'JSON', about: 'setup and metrics' },
    csv: { name: 'CSV', about: 'metrics, a line an iteration' },
    jsonl: { name: 'Rollouts', about: 'JSON lines: tokens, masks, log-probabilities, advantages' },
    svg: { name: 'SVG', about: 'picture of the success curve' },
    png: { name: 'PNG', about: 'the same picture in pixels' },
    safetensors: { name: 'Weights', about: 'safetensors, with what is needed to go on' },
  },
} as const;
