/** `npm run build:library`: writes the library into `dist-lib`, whose entries `exports` of package.json names. */
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { packageOfCheckout } from './fresh-library.mjs';

const folder = fileURLToPath(new URL('../../../dist-lib', import.meta.url));
await rm(folder, { recursive: true, force: true });
await cp(await packageOfCheckout(), folder, { recursive: true });
