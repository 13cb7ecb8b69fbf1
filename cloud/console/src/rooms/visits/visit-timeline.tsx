import { useQuery } from '@tanstack/react-query';
import {
  Banknote,
  Bell,
  Camera,
  CircleDot,
  Construction,
  FileText,
  type LucideIcon,
  Mail,
  Pencil,
  Signpost,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import { useLaneName } from '../../shell/lanes.ts';
import { useTimeZones } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { STATUS } from '../../words/codes.ts';
import { entryText, exactText, whoText } from './timeline-text.ts';
import { TIMELINE } from './timeline-words.ts';
import { readTimeline, type TimelineEntry, type Visit, type VisitWithHistory } from './visit-api.ts';
import { plateText } from './visit-shown.tsx';
import { VISIT } from './visit-words.ts';

const ICONS: Readonly<Record<TimelineEntry['kind'], LucideIcon>> = {
  read: Camera,
  decision: Signpost,
  gate: Construction,
  alert: Bell,
  payment: Banknote,
  settlement: Banknote,
  invoice: FileText,
  refund: Undo2,
  notice: FileText,
  mail: Mail,
  status: CircleDot,
  edit: Pencil,
};

/** More are shown when they are asked for. */
const MAX_SHOWN = 40;

/** Everything that happened in a visit, the newest first. */
export function VisitTimeline({ visit }: { visit: Visit }) {
  const { id, siteId } = visit;
  const [isWhole, setWhole] = useState(false);
  const timeZone = useTimeZones()(siteId);
  const query = useQuery({ queryKey: ['visit', id, 'timeline'], queryFn: () => readTimeline(id) });
  return (
    <section className="card" aria-label={VISIT.timeline}>
      <h2>
        {VISIT.timeline} <small className="quiet-text">{timeZone}</small>
      </h2>
      <QueryView query={query} lines={8}>
        {({ entries }) => {
          const newest = entries.toReversed();
          if (newest.length === 0) return <p className="quiet-text">{TIMELINE.nothing}</p>;
          return (
            <>
              <ol className="timeline">
                {(isWhole ? newest : newest.slice(0, MAX_SHOWN)).map((entry) => (
                  <Entry key={`${entry.kind} ${entry.id}`} entry={entry} visit={visit} timeZone={timeZone} />
                ))}
              </ol>
              {!isWhole && newest.length > MAX_SHOWN && (
                <Button look="quiet" onPress={() => setWhole(true)}>
                  {TIMELINE.showAll({ count: newest.length })}
                </Button>
              )}
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

function Entry({ entry, visit, timeZone }: { entry: TimelineEntry; visit: Visit; timeZone: string }) {
  const laneName = useLaneName(visit.siteId);
  const { title, details } = entryText(entry, { timeZone, laneName });
  const who = whoText(entry);
  const Icon = ICONS[entry.kind];
  const rest = [...details, ...(who === null ? [] : [who])].join(' · ');
  return (
    <li>
      <Icon size={16} aria-hidden="true" />
      <div className="what">
        <span>
          <span className="unseen">{TIMELINE.kinds[entry.kind]}: </span>
          {title}
        </span>
        {rest !== '' && <small>{rest}</small>}
        {entry.photoId !== null && (
          <PhotoPicture size="small" photoId={entry.photoId} name={`${plateText(visit)}, ${title}`} />
        )}
      </div>
      <time dateTime={entry.on}>{exactText(entry.on, timeZone)}</time>
    </li>
  );
}

/** The states of a visit, for those who may not see who did what. */
export function VisitHistory({ visit }: { visit: VisitWithHistory }) {
  const timeZone = useTimeZones()(visit.siteId);
  return (
    <section className="card" aria-label={VISIT.history}>
      <h2>{VISIT.history}</h2>
      <ol className="timeline">
        {visit.history.toReversed().map(({ at, to }) => (
          <li key={`${at} ${to}`}>
            <CircleDot size={16} aria-hidden="true" />
            <span className="what">{STATUS.visit[to]}</span>
            <time dateTime={at}>{exactText(at, timeZone)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}
