import type { OfficeLanguage } from '@hlid/protocol/base/language';

const STORED_AS = 'hlid.language';

/** The same keys and parameters in each language. */
type Widened<T> = {
  [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Widened<T[Key]>;
};

/** Chosen by the person here, else the browser's. It holds until the page is loaded again. */
export const LANGUAGE: OfficeLanguage = readLanguage();

function readLanguage(): OfficeLanguage {
  const wanted = [localStorage.getItem(STORED_AS), ...navigator.languages];
  const found = wanted.map((one) => one?.slice(0, 2)).find((one) => one === 'is' || one === 'en');
  return found === 'en' ? 'en' : 'is';
}

/** Shows the whole page in another language. */
export function changeLanguage(language: OfficeLanguage): void {
  localStorage.setItem(STORED_AS, language);
  location.reload();
}

/** Words of a room, in the language of the page. A key that Icelandic lacks does not compile. */
export function wordsIn<const En>(en: En, is: Widened<En>): Widened<En> {
  // A language's strings are other strings than the English ones.
  return LANGUAGE === 'is' ? is : (en as Widened<En>);
}
