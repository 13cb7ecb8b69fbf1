import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { LANGUAGES, type Language } from '@hlid/protocol/base/language';

export interface PageSize {
  bytes: number;
  gzipBytes: number;
}

/**
 * The size of the files that a page loads before its first screen. They are all of its files, with only the
 * largest language.
 * @param folder its `dist-page`
 * @param isLoaded false for files that load later
 * @param languages those that it has
 */
export function firstLoadOf(
  folder: string,
  {
    isLoaded = () => true,
    languages: known = LANGUAGES,
  }: { isLoaded?: (name: string) => boolean; languages?: readonly Language[] } = {},
): PageSize {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(html|js|css|svg)$/.test(name) && isLoaded(name))
    .map((name) => {
      const content = readFileSync(`${folder}/${name}`);
      return { name, bytes: content.length, gzipBytes: gzipSync(content).length };
    });
  const languages = known
    .map((language) => files.find(({ name }) => name.startsWith(`assets/${language}-`)))
    .filter((file) => file !== undefined);
  if (languages.length < known.length) throw new Error(`${folder} has no file for each language.`);
  const largest = languages.toSorted((a, b) => b.gzipBytes - a.gzipBytes)[0];
  const loaded = files.filter((file) => file === largest || !languages.includes(file));
  return {
    bytes: loaded.reduce((sum, file) => sum + file.bytes, 0),
    gzipBytes: loaded.reduce((sum, file) => sum + file.gzipBytes, 0),
  };
}
