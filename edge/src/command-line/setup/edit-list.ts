import { IdSchema } from '../../config/config.ts';
import { bySchema } from './interview.ts';
import { entriesOf, isUnfinished, type SetupContext, textOf, type Written } from './setup-context.ts';

interface EditedList {
  key: 'lanes' | 'cameras';
  lineOf(entry: Written): string;
  /** Whether another entry is probably needed. */
  needsMore(): boolean;
  /** Why the entry cannot go; null: it can. */
  inUse?(id: string): string | null;
  /** Why the list cannot stay as it is; null: it can. */
  wrong?(): string | null;
  /** @param at its place in the list; null: it is a new one */
  ask(at: number | null): Promise<void>;
}

type Step = { do: 'done' } | { do: 'add' } | { do: 'change' | 'remove'; at: number };

/** Asks which entries to add, change and remove, until all are there. Each is kept when it is finished. */
export async function editList(context: SetupContext, list: EditedList): Promise<void> {
  const { interview, words, draft } = context;
  for (;;) {
    const entries = entriesOf(context, list.key);
    const ids = entries.map((entry) => textOf(entry, 'id') ?? '');
    const begun = entries.findIndex(isUnfinished);
    for (const entry of entries) {
      const state = isUnfinished(entry) ? `  (${words.unfinished})` : '';
      interview.say(`  ${(textOf(entry, 'id') ?? '?').padEnd(10)} ${list.lineOf(entry)}${state}`);
    }
    if (entries.length === 0 && !list.needsMore()) interview.say(`  ${words.none}`);
    const step = await interview.text<Step>({
      ask: words.listHelp,
      preset: begun !== -1 ? ids[begun] : list.needsMore() ? '+' : '.',
      read(text) {
        if (text === '+') return { ok: true, value: { do: 'add' } };
        if (text === '.') {
          const wrong = begun === -1 ? (list.wrong?.() ?? null) : words.notFinished({ id: ids[begun] ?? '' });
          return wrong === null ? { ok: true, value: { do: 'done' } } : { ok: false, wrong };
        }
        const removed = text.startsWith('-') ? text.slice(1).trim() : null;
        const at = ids.indexOf(removed ?? text);
        if (at === -1) return { ok: false, wrong: words.noSuch({ id: removed ?? text }) };
        if (removed === null) return { ok: true, value: { do: 'change', at } };
        const wrong = list.inUse?.(removed) ?? null;
        return wrong === null ? { ok: true, value: { do: 'remove', at } } : { ok: false, wrong };
      },
    });
    if (step.do === 'done') return;
    if (step.do === 'remove') draft.file.remove([list.key, step.at]);
    else await list.ask(step.do === 'change' ? step.at : null);
    draft.keep();
  }
}

/** The id of a new entry. */
export async function askId(
  context: SetupContext,
  { key, preset }: { key: EditedList['key']; preset: string },
): Promise<string> {
  const { interview, words } = context;
  const ids = entriesOf(context, key).map((entry) => textOf(entry, 'id'));
  const stem = preset.replace(/\d+$/, '');
  let free = preset;
  for (let n = 2; ids.includes(free); n++) free = `${stem}${n}`;
  const read = bySchema(IdSchema, words.notId);
  return await interview.text({
    ask: words.id,
    preset: free,
    read: (text) => (ids.includes(text) ? { ok: false, wrong: words.idTaken({ id: text }) } : read(text)),
  });
}
