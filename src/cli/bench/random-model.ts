/**
 * Files of a model with random weights, whatever its size: its numbers are made when they are read. Nobody can talk to
 * it, but loading, sampling and training cost what those of a real model cost.
 */
import { assert } from '../../lib/assert';
import { bytesInMemory, type ByteSource } from '../../lib/byte-source';
import { packHalves } from '../../lib/half';
import { normal, Purpose } from '../../lib/rng';
import { writeHeader } from '../../lib/safetensors';
import type { Files } from '../../lib/stored-tensors';
import { tensorsOfConfig } from '../../model/families';
import { smallText } from '../../text/pretrained/small-text';
import type { ModelConfig } from './model-shapes';

/** As most models are initialised. */
const deviation = 0.02;
/** Random numbers that repeat. It has no factor in common with a matrix's width, so rows differ. */
const numbers = 65521;
const halfOne = 0x3c00;

/** @throws a sentence if there is no such model */
export function randomModel(config: ModelConfig): Files {
  const contents = new Map([...smallText([], 0).files, ['config.json', JSON.stringify(config)]]);
  const tokenizer = JSON.parse(contents.get('tokenizer.json')!) as { added_tokens: object[] };
  // A model is as large as its tokenizer, so the last id has a token too.
  tokenizer.added_tokens.push({ id: Number(config.vocab_size) - 1, content: '<|last|>' });
  contents.set('tokenizer.json', JSON.stringify(tokenizer));
  const files = [...contents].map(
    ([name, content]) => [name, bytesInMemory(new TextEncoder().encode(content))] as const,
  );
  return new Map([...files, ['model.safetensors', randomWeights(config)]]);
}

/** A safetensors file in half precision: 1 in weights of norms, 0 in biases. */
function randomWeights(config: ModelConfig): ByteSource {
  const tensors = tensorsOfConfig(config);
  const header = writeHeader(tensors, {}, 'F16');
  let end = header.length;
  const places = tensors.map(([name, shape]) => {
    const start = end;
    end += shape.reduce((product, length) => product * length, 2);
    return { start, end, constant: shape.length > 1 ? null : name.endsWith('.bias') ? 0 : halfOne };
  });
  const random = randomHalves();
  return {
    size: end,
    read: async (offset, length) => {
      if (offset + length <= header.length) return new Uint8Array(header.subarray(offset, offset + length));
      const place = places.find((each) => offset < each.end);
      assert(place !== undefined && offset >= place.start && offset + length <= place.end, 'a tensor is read alone');
      const halves = new Uint16Array(length / 2);
      if (place.constant !== null) halves.fill(place.constant);
      else
        for (let at = 0, from = (offset / 2) % numbers; at < halves.length; from = 0) {
          const piece = random.subarray(from, from + halves.length - at);
          halves.set(piece, at);
          at += piece.length;
        }
      return new Uint8Array(halves.buffer);
    },
  };
}

function randomHalves(): Uint16Array {
  const floats = new Float32Array(numbers + 1);
  for (let i = 0; i < numbers; i++) floats[i] = deviation * normal(1, Purpose.init, 0, i);
  return new Uint16Array(packHalves(floats).buffer).subarray(0, numbers);
}
