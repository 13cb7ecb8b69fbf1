import { askGate } from './ask-gate.ts';
import { askId, editList } from './edit-list.ts';
import { entriesOf, type SetupContext, textOf, type Written, writtenIn } from './setup-context.ts';

/** The lanes, each with its gate. */
export async function askLanes(context: SetupContext): Promise<void> {
  const { words } = context;
  await editList(context, {
    key: 'lanes',
    lineOf: (lane) => laneLine(context, lane),
    // A car park has a way in and a way out.
    needsMore: () => !['entry', 'exit'].every((one) => directionsOf(context).includes(one)),
    wrong: () => (entriesOf(context, 'lanes').length === 0 ? words.lanesNeeded : null),
    inUse(id) {
      const camera = entriesOf(context, 'cameras').find((one) => lanesOfCamera(one).includes(id));
      return camera ? words.laneInUse({ id, camera: textOf(camera, 'id') ?? '?' }) : null;
    },
    ask: (at) => askLane(context, at),
  });
}

/** The lanes at which a camera looks. */
export function lanesOfCamera(camera: Written): string[] {
  const splits = camera['lanes'];
  const several = Array.isArray(splits)
    ? splits.flatMap((split) => textOf(writtenIn(split), 'lane') ?? [])
    : [];
  return [...several, ...[textOf(camera, 'lane')].filter((lane) => lane !== null)];
}

function directionsOf(context: SetupContext): (string | null)[] {
  return entriesOf(context, 'lanes').map((lane) => textOf(lane, 'direction'));
}

function laneLine({ words }: SetupContext, lane: Written): string {
  const gate = writtenIn(lane['gate']);
  const place = textOf(gate, 'url') ?? textOf(writtenIn(gate['open']), 'url');
  const direction = lane['direction'] === 'exit' ? words.exit : words.entry;
  const kind = textOf(gate, 'kind');
  const moved = kind === null || kind === 'none' ? words.noGate : kind;
  return [textOf(lane, 'name'), direction, moved, place].filter(Boolean).join(', ');
}

async function askLane(context: SetupContext, at: number | null): Promise<void> {
  const { interview, words, draft } = context;
  const present = at === null ? {} : (entriesOf(context, 'lanes')[at] ?? {});
  const known = directionsOf(context);
  const direction = await interview.choose(
    words.direction,
    [
      { value: 'entry', words: words.entry },
      { value: 'exit', words: words.exit },
    ],
    present['direction'] === 'exit' || (at === null && known.includes('entry')) ? 'exit' : 'entry',
  );
  const id =
    textOf(present, 'id') ??
    (await askId(context, { key: 'lanes', preset: direction === 'entry' ? 'in-1' : 'out-1' }));
  const name = await interview.text({
    ask: words.laneName,
    preset: textOf(present, 'name') ?? (direction === 'entry' ? words.entryName : words.exitName),
    read: (text) => ({ ok: true, value: text }),
  });
  const before = present['gate'] === 'none' ? { kind: 'none' } : writtenIn(present['gate']);
  const gate = await askGate(context, before);
  if (at === null) {
    draft.file.add(['lanes'], { id, name, direction, gate });
    return;
  }
  draft.file.set(['lanes', at], { name, direction });
  if (before['kind'] === gate['kind']) draft.file.set(['lanes', at, 'gate'], gate);
  else draft.file.replace(['lanes', at, 'gate'], gate);
}
