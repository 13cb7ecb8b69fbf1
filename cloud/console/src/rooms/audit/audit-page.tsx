import type { accountRoutes } from '@hlid/cloud/people/accounts/account-routes';
import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { useSiteFilter, useSites, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { Details } from '../../ui/details.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { PeriodField } from '../../ui/period-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { COMMON } from '../../words/common.ts';
import { type FieldWords, fieldChanges } from './audit-changes.ts';
import { actionText, SUBJECTS, WORDS } from './audit-words.ts';
import { useFieldWords } from './use-field-words.ts';
import './audit.css';

const api = apiOf<typeof auditRoutes>();
const accountApi = apiOf<typeof accountRoutes>();
type Line = Awaited<ReturnType<typeof readLines>>['data'][number];

function readLines(query: Record<string, string>) {
  return read(api.audit.$get({ query }));
}

/** The audit log: who changed what, when, and the value before. */
export function AuditPage() {
  const { filters, setFilters, clear } = useFilters();
  const { by = '', subject = '', subjectId = '', 'date.from': from = '', 'date.to': to = '' } = filters;
  const timeZone = useTimeZone();
  const [open, setOpen] = useState<Line | null>(null);
  const people = usePeople();
  const words = useFieldWords();
  const query = {
    ...useSiteFilter(),
    ...(by && { by }),
    ...(subject && { subject }),
    ...(subject && subjectId && { subjectId }),
    ...(from && { 'date.from': from }),
    ...(to && { 'date.to': to }),
  };
  const list = useList(
    ['audit', query],
    ({ id }) => id,
    (next: string | undefined) => readLines({ ...query, ...(next && { next }) }),
  );
  return (
    <Page
      title={WORDS.title}
      filters={
        <>
          <ChoiceField
            label={WORDS.who}
            value={by}
            choices={[
              ['', WORDS.everybody],
              ...people.list.map(({ id, name }) => [`account:${id}`, name] as const),
            ]}
            onChange={(one) => setFilters({ by: one })}
          />
          <ChoiceField
            label={WORDS.what}
            value={subject}
            choices={[['', WORDS.everything], ...SUBJECTS]}
            onChange={(one) => setFilters({ subject: one, subjectId: null })}
          />
          <PeriodField
            {...{ from, to, timeZone }}
            onChange={(period) => setFilters({ 'date.from': period.from, 'date.to': period.to })}
          />
          {subjectId && <span className="quiet-text">{WORDS.onlyOne}</span>}
          <ClearFilters isAny={Object.keys(query).length > 0} onClear={clear} />
        </>
      }
    >
      <ListView
        list={list}
        label={WORDS.title}
        keptAs="audit"
        idOf={({ id }) => id}
        onOpen={setOpen}
        columns={[
          { id: 'what', title: WORDS.what, cell: (line) => actionText(line) },
          { id: 'who', title: WORDS.who, cell: people.nameOf },
          { id: 'on', title: WORDS.when, cell: ({ on }) => <Moment at={on} timeZone={timeZone} /> },
          { id: 'changed', title: WORDS.changed, isWide: true, cell: (line) => changeText(line, words) },
          { id: 'reason', title: WORDS.reason, isWide: true, cell: ({ reason }) => reason ?? '' },
        ]}
        empty={
          <Empty title={WORDS.empty}>
            <p>{WORDS.emptyHint}</p>
          </Empty>
        }
      />
      {open && (
        <LineDialog
          line={open}
          who={people.nameOf(open)}
          words={words}
          timeZone={timeZone}
          onMore={() => {
            setFilters({ subject: open.subject, subjectId: open.subjectId });
            setOpen(null);
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}

/** The first fields of a change, on one line. */
function changeText({ before, after, siteId }: Line, wordsOf: (siteId: string | null) => FieldWords): string {
  const { changes, hidden } = fieldChanges(before, after, wordsOf(siteId));
  const shown = changes
    .slice(0, 2)
    .map(
      (one) => `${one.field}: ${[one.before, one.after].filter((text) => text !== '').join(' → ') || '–'}`,
    );
  const more = changes.length - shown.length + (shown.length > 0 ? hidden : 0);
  return [...shown, ...(more > 0 ? [WORDS.more({ count: more })] : [])].join(', ');
}

function LineDialog({
  line,
  who,
  words,
  timeZone,
  onMore,
  onClose,
}: {
  line: Line;
  who: string;
  words: (siteId: string | null) => FieldWords;
  timeZone: string;
  onMore: () => void;
  onClose: () => void;
}) {
  const { changes, hidden } = fieldChanges(line.before, line.after, words(line.siteId));
  return (
    <Dialog title={actionText(line)} size="large" onClose={onClose}>
      <Details
        rows={[
          [WORDS.who, who],
          [WORDS.when, <Moment key="on" at={line.on} timeZone={timeZone} isExact />],
          [WORDS.reason, line.reason],
        ]}
      />
      {changes.length === 0 ? (
        <p className="quiet-text">{hidden > 0 ? WORDS.hiddenFields({ count: hidden }) : WORDS.noFields}</p>
      ) : (
        <table className="changes">
          <thead>
            <tr>
              <th scope="col">{WORDS.field}</th>
              <th scope="col">{WORDS.before}</th>
              <th scope="col">{WORDS.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{before || '–'}</td>
                <td>{after || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <footer>
        <Button onPress={onMore}>{WORDS.onlyThis}</Button>
        <Button look="primary" onPress={onClose}>
          {COMMON.close}
        </Button>
      </footer>
    </Dialog>
  );
}

/** The accounts to filter by, and what is shown for the author of a line. */
function usePeople() {
  const sites = useSites();
  const { data: list = [] } = useQuery({
    queryKey: ['accounts', 'names'],
    queryFn: async () => {
      const { data } = await read(accountApi.accounts.$get({ query: {} }));
      return data.map(({ id, name }) => ({ id, name }));
    },
    staleTime: MINUTE_MS,
  });
  const nameOf = ({ by, byName }: Line): string => {
    if (byName !== null) return byName;
    const [kind = '', id] = by.split(':');
    if (kind === 'site') return sites.find((one) => one.id === id)?.name ?? WORDS.callers.site;
    return Object.entries(WORDS.callers).find(([one]) => one === kind)?.[1] ?? WORDS.nameless;
  };
  return { list, nameOf };
}
