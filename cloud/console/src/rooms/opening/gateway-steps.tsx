import { Badge } from '@hlid/ui/badge';
import { useState } from 'react';
import { can, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Moment } from '../../ui/time.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { stateName, stateTone } from '../devices/device-words.ts';
import { TryAgain } from '../devices/try-again.tsx';
import { commandLane } from '../now/gate-commands.ts';
import { Advice } from './device-advice.tsx';
import { MayNot } from './may-not.tsx';
import type { Opening, StepProps } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

type KnownLane = Opening['facts']['lanes'][number];
type KnownDevice = Opening['facts']['terminals'][number];

const laneName = ({ name, id }: KnownLane) => name ?? id;

/** The lanes that the computer at the site has, and how it gets others. */
export function LanesStep({ opening }: StepProps) {
  const { lanes } = opening.facts;
  return (
    <>
      {lanes.length > 0 && (
        <DataTable
          label={WORDS.steps.lanes.title}
          rows={lanes}
          idOf={({ id }) => id}
          columns={[
            { id: 'lane', title: WORDS.lane.lane, isWide: true, cell: laneName },
            {
              id: 'direction',
              title: WORDS.lane.direction,
              cell: ({ direction }) => (direction === null ? '' : WORDS.lane[direction]),
            },
            {
              id: 'gate',
              title: WORDS.lane.gate,
              cell: ({ gate, hasGate }) => (hasGate ? <StateBadge state={gate} /> : WORDS.lane.noGate),
            },
          ]}
        />
      )}
      <Setup />
    </>
  );
}

/** The settings that only the computer at the site has. */
function Setup() {
  return (
    <>
      <CopyableText label={WORDS.atGateway} value="sudo hlid setup" />
      <p className="hint">{WORDS.setupHint}</p>
    </>
  );
}

function StateBadge({ state }: { state: KnownLane['gate'] }) {
  return state === null ? null : <Badge tone={stateTone(state)}>{stateName(state)}</Badge>;
}

/** A button for each gate that opens it once, and when it last opened. */
export function GatesStep({ siteId, opening }: StepProps) {
  const lanes = opening.facts.lanes.filter(({ hasGate }) => hasGate);
  const timeZone = useTimeZone(siteId);
  const mayOpen = can(useSession(), 'see-lanes');
  const [asked, setAsked] = useState<KnownLane | null>(null);
  return (
    <>
      {lanes.length > 0 && (
        <ul className="opening-things">
          {lanes.map((lane) => (
            <li key={lane.id} className="card row-acts">
              <span className="opening-thing">
                <strong>{laneName(lane)}</strong> <StateBadge state={lane.gate} />
                <span className="quiet-text">
                  {WORDS.lane.tried}:{' '}
                  {lane.triedOn === null ? (
                    WORDS.lane.never
                  ) : (
                    <Moment at={lane.triedOn} timeZone={timeZone} />
                  )}
                </span>
              </span>
              <Button
                look={lane.triedOn === null ? 'primary' : 'plain'}
                isDisabled={!mayOpen || !opening.facts.connected}
                aria-label={WORDS.lane.open({ lane: laneName(lane) })}
                onPress={() => setAsked(lane)}
              >
                {WORDS.lane.openOnce}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Advice siteId={siteId} kind="gate" />
      {!mayOpen && <MayNot permission="lanes" />}
      {asked && <OpenOnceDialog siteId={siteId} lane={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function OpenOnceDialog({ siteId, lane, onClose }: { siteId: string; lane: KnownLane; onClose: () => void }) {
  const open = useSubmit(
    (_: null, headers) =>
      commandLane(
        { siteId, laneId: lane.id },
        { verb: 'open', json: { reasonCode: 'test', note: WORDS.lane.note } },
        headers,
      ),
    { invalidates: [['lanes'], ['opening']], onDone: onClose },
  );
  const title = WORDS.lane.open({ lane: laneName(lane) });
  return (
    <FormDialog
      title={title}
      submit={title}
      error={open.error}
      isBusy={open.isPending}
      onSubmit={() => open.mutate(null)}
      onClose={onClose}
    >
      <p>{WORDS.lane.ask({ lane: laneName(lane) })}</p>
    </FormDialog>
  );
}

export function TerminalStep({ siteId, opening }: StepProps) {
  return (
    <>
      <KnownDevices siteId={siteId} kind="terminal" devices={opening.facts.terminals} />
      <CopyableText label={WORDS.terminal.diagnose} value="sudo hlid terminal diagnose" />
      <p className="hint">{WORDS.terminal.diagnoseHint}</p>
      <Setup />
    </>
  );
}

/** The devices of a kind, each with a button that has the site connect to it again, and what to do. */
export function KnownDevices({
  siteId,
  kind,
  devices,
}: {
  siteId: string;
  kind: 'terminal' | 'kiosk';
  devices: readonly KnownDevice[];
}) {
  return (
    <>
      {devices.map(({ id, name, state }) => (
        <div key={id} className="card form">
          <h3>
            {name ?? id} <StateBadge state={state} />
          </h3>
          <TryAgain siteId={siteId} kind={kind} id={id} alarm={state !== 'ok'} />
        </div>
      ))}
      <Advice siteId={siteId} kind={kind} />
    </>
  );
}
