import { createContext, type ReactNode, useContext } from 'react';
import { sentencesByPlace } from '../calls/refusal-words.ts';

const MistakesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** Puts what the cloud refused beside the fields that it concerns, by their names. */
export function Mistakes({ error, children }: { error: unknown; children: ReactNode }) {
  return <MistakesContext value={sentencesByPlace(error)}>{children}</MistakesContext>;
}

/** The same for what the page itself has found, beside what the cloud refused. */
export function MoreMistakes({
  sentences,
  children,
}: {
  /** The sentences by the place of the mistake in what is sent. */
  sentences: ReadonlyMap<string, string>;
  children: ReactNode;
}) {
  const refused = useContext(MistakesContext);
  return <MistakesContext value={new Map([...refused, ...sentences])}>{children}</MistakesContext>;
}

/** The mistake of a field: the name is its place in the input (`settings.capacity`), or the end of it. */
export function useMistake(name: string | undefined): string | undefined {
  const mistakes = useContext(MistakesContext);
  if (name === undefined) return undefined;
  return mistakes.get(name) ?? [...mistakes].find(([place]) => place.endsWith(`.${name}`))?.[1];
}
