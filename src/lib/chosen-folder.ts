/** The folder that is meant by a choice of files with their paths. */

export interface ChosenFolder<T> {
  readonly folder: string;
  /** By name; what is in folders of the folder is left out. */
  readonly files: ReadonlyMap<string, T>;
}

/** The folder with a file of this name that is the least deep; if there is none, the least deep of all. */
export function folderWith<T>(name: string, chosen: ReadonlyMap<string, T>): ChosenFolder<T> {
  const paths = [...chosen.keys()];
  const marked = paths.filter((path) => nameIn(path) === name);
  const folders = (marked.length > 0 ? marked : paths).map(folderIn);
  const folder = folders.reduce((best, each) => (depthOf(each) < depthOf(best) ? each : best), folders[0] ?? '');
  const inIt = [...chosen].filter(([path]) => folderIn(path) === folder);
  return { folder, files: new Map(inIt.map(([path, file]) => [nameIn(path), file])) };
}

const folderIn = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const depthOf = (folder: string): number => folder.split('/').length;
