/** The hub that pretrained models come from. No other file names a host. */

export interface Hub {
  readonly address: string;
  /** What the page may ask, as its Content-Security-Policy names it: the hub, and hosts that it sends files from. */
  readonly hosts: readonly string[];
}

const standard: Hub = {
  address: 'https://huggingface.co',
  hosts: ['https://huggingface.co', 'https://*.huggingface.co', 'https://*.hf.co'],
};

/**
 * The hub of a build.
 * @param setting `VITE_HUB` of the build: an address of another hub, or `off`; not given: the hub of Hugging Face
 * @returns null: such a build downloads nothing @throws a sentence if it is no address
 */
export function hubOf(setting?: string): Hub | null {
  if (setting === undefined || setting === '') return standard;
  if (setting === 'off') return null;
  if (!URL.canParse(setting))
    throw new Error(`VITE_HUB cannot be ${JSON.stringify(setting)}: give an address, or off.`);
  return { address: setting, hosts: [new URL(setting).origin] };
}

/** Of a terminal. */
export const standardHub = standard.address;
