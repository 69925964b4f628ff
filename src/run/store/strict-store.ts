/**
 * A store for idb-keyval in its own database: a write resolves when it is on the disk, and a connection that the
 * browser closed (because site data was cleared, for example) is opened again.
 */
import { promisifyRequest, type UseStore } from 'idb-keyval';

const objectStore = 'entries';
/** Errors of work on a closed connection. */
const closedErrors = ['InvalidStateError', 'AbortError'];
/** Before each further try. A browser that clears site data closes connections until it is done, new ones too. */
const retryDelaysMs = [0, 50, 250, 1000];

export function strictStore(database: string): UseStore {
  let opening: Promise<IDBDatabase> | null = null;
  const open = (): Promise<IDBDatabase> => {
    opening ??= openDatabase(database, () => (opening = null)).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const begin = async (mode: IDBTransactionMode): Promise<IDBObjectStore> =>
    (await open()).transaction(objectStore, mode, { durability: 'strict' }).objectStore(objectStore);
  return async (mode, callback) => {
    for (const delayMs of retryDelaysMs) {
      try {
        return await callback(await begin(mode));
      } catch (error) {
        if (!closedErrors.includes((error as Error).name)) throw error;
        opening = null;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    return callback(await begin(mode));
  };
}

/** Values of all entries whose keys begin so, in the order of their keys: one request, however many there are. */
export function valuesUnder(prefix: string, store: UseStore): Promise<unknown[]> {
  const keys = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  return store('readonly', (entries) => promisifyRequest<unknown[]>(entries.getAll(keys)));
}

async function openDatabase(name: string, onGone: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(objectStore);
  const database = await promisifyRequest(request);
  database.onclose = onGone;
  database.onversionchange = () => {
    database.close();
    onGone();
  };
  return database;
}
