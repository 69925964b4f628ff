/** A run's name of two words, the same for the same id every time. */
import { fnv1a } from './fnv1a';

const first =
  'amber azure bold brave bright brisk calm candid clear clever coral cosmic crimson crisp curious daring deep ' +
  'distant dusty eager early easy fabled fair fearless fine fleet fond fresh gentle gilded glad golden grand green ' +
  'happy hazel hidden humble idle indigo ivory jade jolly keen kind late light lone lucid lucky lunar mellow ' +
  'merry mild misty modest mossy neat nimble noble oaken open patient placid plain polar proud quick quiet rapid ' +
  'rare ready regal robust rosy royal ruby rustic sable sandy serene sharp silent silver simple sleek slow smooth ' +
  'snowy soft solar solid sonic spare spry stable steady still stout sturdy sunny swift tame teal tender tidy tiny ' +
  'topaz tranquil true upbeat vast velvet vivid warm wild windy wise witty young zesty';
const second =
  'acorn anchor apple arrow aspen badger basin bay beacon beaver birch bison bluff boulder breeze brook canyon cape ' +
  'cedar cherry cliff clover comet condor coral crane creek cricket cypress dahlia dawn dolphin dove dune eagle ' +
  'echo egret elm ember falcon fern field finch fjord flint forest fox gale garden geyser glacier glade grove gull ' +
  'harbor hare hawk hazel heath heron hill iris island ivy jay juniper kestrel lagoon lake lark leaf lily ' +
  'linden lotus maple marsh meadow mesa moon moth mountain oak ocean orchid osprey otter owl peak pebble pine ' +
  'plover pond poplar prairie quail quartz raven reef ridge river robin rowan sage sparrow spring spruce star stone ' +
  'stork stream summit swan swift thicket thistle tide trail tulip valley violet walnut wave willow wren';

const words = [first.split(' '), second.split(' ')] as const;

export function nameOfId(id: string): string {
  const hash = fnv1a(id);
  const [adjectives, nouns] = words;
  return `${adjectives[hash % adjectives.length]} ${nouns[Math.floor(hash / adjectives.length) % nouns.length]}`;
}

export const nameOf = ({ id, name }: { readonly id: string; readonly name: string }): string => name || nameOfId(id);

/** A queued run is called by its seed at the end; runs of several seeds are not. */
export const withoutSeed = (name: string): string => name.replace(/, seed \d+$/, '');
