/** The prompts of a logged rollout, token for token, with the images among them: its steps can be read again. */
import type { PlacedImage } from '../../text/image';
import { patchCount } from '../../text/image';
import type { RolloutView, StepView } from './view';

/** @param imageToken id at the place of an image's patch; undefined for a model without images */
export function viewSteps({ steps }: RolloutView, imageToken: number | undefined) {
  let before: { readonly tokens: readonly number[]; readonly images: readonly PlacedImage[] };
  return steps.map((step) => {
    const { tokens, images } = step.continues ? before : { tokens: [], images: [] };
    const prompt = [...tokens, ...step.promptTokens];
    const seen = [...images, ...placed(step, tokens.length, imageToken)];
    before = { tokens: [...prompt, ...step.tokens], images: seen };
    const { tokens: own, logProbs } = step;
    return { prompt, ...(seen.length > 0 && { images: seen }), action: { tokens: own, logProbs } };
  });
}

/** The images of a step's messages at the tokens of their patches, in order. */
function placed({ promptTokens, messages }: StepView, start: number, imageToken: number | undefined): PlacedImage[] {
  let from = 0;
  return messages.flatMap(({ images = [] }) =>
    images.map((image) => {
      const at = promptTokens.indexOf(imageToken ?? -1, from);
      if (at < 0) throw new Error('This rollout shows an image that is not among its tokens.');
      from = at + patchCount(image);
      return { at: start + at, image };
    }),
  );
}
