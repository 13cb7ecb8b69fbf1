import { setImmediate } from 'node:timers/promises';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { englishLines, type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { addEntry, draftEntry } from './change-whitelist.ts';
import { chooseAuthor, type EntryAuthor } from './entry-author.ts';
import { entryOfLine, type ImportReport } from './entry-csv.ts';
import { countHeld, numberMistake } from './permit-allowance.ts';
import { type ReadLine, readCsv, WrongHeader } from './read-csv.ts';
import type { EntryRow } from './whitelist-entry.ts';
import { findSameEntry } from './whitelist-store.ts';

/** Lines of one file. */
export const MAX_LINES = 100_000;
/** Refused lines that the report names; of more, it gives the number. */
export const MAX_REFUSED_NAMED = 1000;
/** Lines of one transaction: it is short enough that other writers do not notice the wait. */
const BATCH_LINES = 20;

type Outcome = 'added' | 'unchanged' | { line: number; mistakes: Mistake[]; last?: boolean };

/**
 * Adds the entries of a CSV file, line by line. A wrong line is named in the report and does not prevent the
 * others; an entry that is listed already stays as it is. So the same file may be given again, also after an
 * interruption. `dryRun` only reports the outcome.
 */
export async function importWhitelist(
  db: Db,
  actor: Actor,
  file: AsyncIterable<Uint8Array>,
  { dryRun }: { dryRun: boolean },
): Promise<{ ok: true; report: ImportReport } | RefusedInput> {
  const report: ImportReport = { dryRun, added: 0, unchanged: 0, refused: [], refusedMore: 0 };
  const wouldAdd = new Set<string>();
  try {
    for await (const lines of batches(readCsv(file))) {
      const outcomes = dryRun
        ? await db.read((q) =>
            each(q, actor, lines, (author, line) => tryLine(q, actor, author, line, wouldAdd)),
          )
        : await db.write((tx) =>
            each(tx.q, actor, lines, (author, line) => addLine(tx, actor, author, line)),
          );
      for (const outcome of outcomes) {
        if (typeof outcome === 'string') report[outcome]++;
        else addRefused(report, outcome);
      }
      // Requests that came in meanwhile get their turn.
      await setImmediate();
    }
  } catch (error) {
    if (error instanceof WrongHeader) return refusedInput(...error.mistakes);
    throw error;
  }
  report.refused.sort((one, other) => one.line - other.line);
  return { ok: true, report };
}

function addRefused(report: ImportReport, { line, mistakes, last }: Exclude<Outcome, string>): void {
  if (last || report.refused.length < MAX_REFUSED_NAMED) {
    report.refused.push({ line, messages: englishLines(mistakes), codes: mistakes });
  } else report.refusedMore++;
}

async function addLine(tx: Tx, actor: Actor, author: EntryAuthor, line: ReadLine): Promise<Outcome> {
  const draft = await draftOf(tx.q, actor, author, line);
  if (!draft.ok) return draft.outcome;
  const added = await addEntry(tx, actor, author, draft.entry);
  if (added.ok) return 'added';
  return added.reason === 'input' ? { line: line.line, mistakes: added.mistakes } : 'unchanged';
}

/** @param wouldAdd what lines before this one would have added */
async function tryLine(
  q: Queries,
  actor: Actor,
  author: EntryAuthor,
  line: ReadLine,
  wouldAdd: Set<string>,
): Promise<Outcome> {
  const draft = await draftOf(q, actor, author, line);
  if (!draft.ok) return draft.outcome;
  const { plate, effect, type, siteId, visitId, activeFrom, expireAt } = draft.entry;
  const key = JSON.stringify([plate, effect, type, siteId, visitId, activeFrom, expireAt]);
  if (wouldAdd.has(key)) return 'unchanged';
  if ((await findSameEntry(q, draft.entry, ownRows(actor.caller))) !== null) return 'unchanged';
  const held = await countHeld(q, author.allowance, draft.entry.author, actor.at);
  const full = numberMistake(author.allowance, draft.entry, actor.at, held + wouldAdd.size);
  if (full !== null) return { line: line.line, mistakes: [full] };
  wouldAdd.add(key);
  return 'added';
}

async function draftOf(
  q: Queries,
  actor: Actor,
  author: EntryAuthor,
  read: ReadLine,
): Promise<{ ok: true; entry: EntryRow } | { ok: false; outcome: Outcome }> {
  const { line } = read;
  const refused = (mistakes: Mistake[], last = false) => ({
    ok: false as const,
    outcome: { line, mistakes, last },
  });
  if (!read.ok) return refused(read.mistakes, read.last);
  const asked = entryOfLine(read.cells);
  if (!asked.ok) return refused(asked.mistakes);
  const { entry, mistakes } = await draftEntry(q, actor, author, asked.body);
  return mistakes.length > 0 ? refused(mistakes) : { ok: true, entry };
}

/** The outcome of each line, by what its author may do at the time. */
async function each(
  q: Queries,
  { caller }: Actor,
  lines: readonly ReadLine[],
  add: (author: EntryAuthor, line: ReadLine) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const chosen = await chooseAuthor(q, caller, undefined);
  for (const line of lines) {
    outcomes.push(
      chosen.ok ? await add(chosen.author, line) : { line: line.line, mistakes: chosen.mistakes },
    );
  }
  return outcomes;
}

/** Lines in batches, up to the most that a file may have; the first one beyond shows that there are more. */
async function* batches(lines: AsyncIterable<ReadLine>): AsyncGenerator<ReadLine[]> {
  let batch: ReadLine[] = [];
  let count = 0;
  for await (const line of lines) {
    if (++count > MAX_LINES) {
      const mistakes = [mistake('file-too-long', [], { lines: MAX_LINES })];
      batch.push({ ok: false, line: line.line, mistakes, last: true });
      break;
    }
    batch.push(line);
    if (batch.length === BATCH_LINES) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
