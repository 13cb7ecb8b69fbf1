import type { CallView } from '@hlid/cloud/sites/calls/call-view';
import type { visitRoutes } from '@hlid/cloud/stays/visits/list/visit-routes';
import { LANGUAGE_NAMES } from '@hlid/protocol/base/language';
import { MAX_NOTE } from '@hlid/protocol/base/limits';
import { lastingText } from '@hlid/protocol/words/lanes/lane-texts';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PhoneCall } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { Refusal } from '../../calls/refusal.ts';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteNames, useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { acceptCall, callApi } from './gate-commands.ts';
import { LANE } from './lane-words.ts';
import { WORDS } from './now-words.ts';

const visitApi = apiOf<typeof visitRoutes>();

/** Calls that ring, and those that this person has accepted; another person's are none of theirs. */
export function useCalls(siteId: string | null): readonly CallView[] {
  const { account } = useSession();
  const query = siteId === null ? {} : { siteId };
  const { data = [] } = useQuery({
    queryKey: ['calls', siteId],
    queryFn: async () => (await read(callApi.calls.$get({ query }))).data,
  });
  return data.filter(
    ({ state, accepted }) => state === 'ringing' || accepted?.by === `account:${account.id}`,
  );
}

export function usePlaceOf(): (call: CallView) => string {
  const siteNames = useSiteNames();
  return ({ siteId, terminalId }) => `${siteNames(siteId)}, ${WORDS.kiosk({ terminal: terminalId })}`;
}

/**
 * The list of what needs a person: ringing calls, and the other given entries. It always has the same height,
 * so that no button of a lane below it moves when a call comes or goes. The calls that this person has
 * accepted stand under it.
 */
export function CallList({
  calls,
  now,
  children,
}: {
  calls: readonly CallView[];
  now: number;
  /** Shortcuts to what waits, in the same row. */
  children?: ReactNode;
}) {
  const toasts = useToasts();
  const reload = useReload();
  const accept = useSubmit(acceptCall, { invalidates: [['calls']] });
  const take = (id: string) =>
    accept.mutate(id, {
      onError: (error) => {
        const isTaken = error instanceof Refusal && error.status === 409;
        toasts.failed(isTaken ? new Error(takenText(error)) : error);
        if (isTaken) reload([['calls']]);
      },
    });
  const first = calls.find(({ state }) => state === 'ringing');
  useShortcut('a', WORDS.accept, first ? () => take(first.id) : null);
  const shown = (call: CallView) => (
    <OneCall
      key={call.id}
      call={call}
      now={now}
      isBusy={accept.isPending && accept.variables === call.id}
      onAccept={() => take(call.id)}
    />
  );
  const ringing = calls.filter(({ state }) => state === 'ringing');
  const accepted = calls.filter(({ state }) => state !== 'ringing');
  return (
    <>
      <section className="asks" aria-label={WORDS.calls}>
        {ringing.map(shown)}
        {children}
        {ringing.length === 0 && !children && <p className="quiet-text">{WORDS.noCalls}</p>}
      </section>
      {accepted.length > 0 && <section className="calls">{accepted.map(shown)}</section>}
    </>
  );
}

/** The cloud names who has it, in English. */
function takenText({ messages: [sentence = ''] }: Refusal): string {
  const name = / has accepted this call\.$/.exec(sentence);
  return WORDS.taken({ name: name ? sentence.slice(0, name.index) : null });
}

function OneCall({
  call,
  now,
  isBusy,
  onAccept,
}: {
  call: CallView;
  now: number;
  isBusy: boolean;
  onAccept: () => void;
}) {
  const session = useSession();
  const placeOf = usePlaceOf();
  const [isClosing, setClosing] = useState(false);
  const isRinging = call.state === 'ringing';
  const place = placeOf(call);
  return (
    <article className={isRinging ? 'call card ringing' : 'call card'} aria-label={WORDS.callFrom({ place })}>
      <div className="call-head">
        <PhoneCall size={20} aria-hidden="true" />
        <div>
          <h2>{WORDS.callFrom({ place })}</h2>
          <p>
            {isRinging ? WORDS.rings({ time: lastingText(now - Date.parse(call.on), LANE) }) : WORDS.yours} ·{' '}
            {WORDS.speaks({ language: LANGUAGE_NAMES[call.language] })}
          </p>
        </div>
        {isRinging ? (
          <Button look="primary" isPending={isBusy} onPress={onAccept}>
            {WORDS.accept} <kbd>A</kbd> <span className="unseen">{place}</span>
          </Button>
        ) : (
          <Button look="primary" onPress={() => setClosing(true)}>
            {WORDS.finish}
          </Button>
        )}
      </div>
      {call.visitId !== null && can(session, 'see-visits') && (
        <VisitOfCall id={call.visitId} siteId={call.siteId} />
      )}
      {isClosing && <CloseDialog id={call.id} place={place} onClose={() => setClosing(false)} />}
    </article>
  );
}

/** The visit of the driver who calls. */
function VisitOfCall({ id, siteId }: { id: string; siteId: string }) {
  const timeZone = useTimeZone(siteId);
  const { data: visit } = useQuery({
    queryKey: ['visit', id],
    queryFn: () => read(visitApi.visit[':id'].$get({ param: { id }, query: {} })),
  });
  if (!visit) return null;
  const { plate, due, startedOn } = visit;
  const photo = visit.exitPhoto ?? visit.entrancePhoto;
  return (
    <div className="call-visit">
      {photo && <PhotoPicture photoId={photo.id} name={plate ?? LANE.texts.noPlate} size="small" />}
      <PlateSign plate={plate} unread={LANE.texts.noPlate} />
      <span>
        {WORDS.since} <Moment at={startedOn} timeZone={timeZone} />
      </span>
      {due && due.amount > 0 && (
        <strong>
          {LANE.texts.due({ amount: moneyText({ amountMinor: due.amount, currency: due.currency }) })}
        </strong>
      )}
      <Link to={`/${siteId}/visits/${id}`}>{WORDS.visit}</Link>
    </div>
  );
}

type Done = keyof typeof WORDS.dones;
const DONES = (Object.keys(WORDS.dones) as Done[]).map((done) => [done, WORDS.dones[done]] as const);

function CloseDialog({ id, place, onClose }: { id: string; place: string; onClose: () => void }) {
  const [done, setDone] = useState<Done>('explained');
  const [note, setNote] = useState('');
  const close = useSubmit(
    (json: { done: Done; note?: string }, headers) =>
      read(callApi.call[':id'].close.$post({ param: { id }, json }, { headers })),
    { invalidates: [['calls']], onDone: onClose },
  );
  const needsNote = done === 'other';
  const said = note.trim();
  return (
    <FormDialog
      title={WORDS.callFrom({ place })}
      submit={WORDS.finish}
      error={close.error}
      isBusy={close.isPending}
      isReady={!needsNote || said !== ''}
      onSubmit={() => close.mutate({ done, ...(said !== '' && { note: said }) })}
      onClose={onClose}
    >
      <ChoiceField label={WORDS.done} value={done} choices={DONES} onChange={setDone} />
      <TextField
        label={WORDS.note}
        value={note}
        isRequired={needsNote}
        maxLength={MAX_NOTE}
        onChange={setNote}
      />
    </FormDialog>
  );
}
