/**
 * A store for idb-keyval in a database of its own: what it says is written is on the disk, and a connection that the
 * browser closed (site data was cleared, the database was deleted elsewhere) is opened anew.
 */
import { promisifyRequest, type UseStore } from 'idb-keyval';

const objectStore = 'entries';
/** What work on a closed connection fails by, before and while it is done. */
const closedErrors = ['InvalidStateError', 'AbortError'];

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
    try {
      return await callback(await begin(mode));
    } catch (error) {
      if (!closedErrors.includes((error as Error).name)) throw error;
      opening = null;
      return callback(await begin(mode));
    }
  };
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
