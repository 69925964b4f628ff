/** The hub that models come from. No other file names a host. */
export const hubAddress = 'https://huggingface.co';
