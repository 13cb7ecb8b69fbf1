import type { KioskHelp } from '@hlid/protocol/kiosk-api';
import { Dialog } from '@hlid/ui/dialog';
import { every } from '@hlid/ui/every';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useEffect, useState } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import type { KioskEdge } from '../kiosk-edge.ts';
import type { Words } from '../words/en.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { LanguageMenu } from './languages.tsx';
import { QrCode } from './qr-code.tsx';
import { payPageOf } from './ways-to-pay.ts';

const FOLLOW_EVERY_MS = 2000;

/** @param visitId what the driver looks at; null: no visit */
export function HelpPanel({ edge, visitId }: { edge: KioskEdge; visitId: string | null }) {
  const { words, site, dispatch } = useKiosk();
  const page = payPageOf(site);
  const close = () => dispatch({ type: 'help', open: false });
  return (
    <Dialog title={words.helpPanel.title} onClose={close}>
      <HelpCall edge={edge} visitId={visitId} />
      {site.helpPhone === null ? (
        <p className="lead">{words.helpPanel.nobody}</p>
      ) : (
        <>
          <p className="lead">{words.helpPanel.call}</p>
          <p className="phone-number">
            <Icon name="phone" />
            {site.helpPhone}
          </p>
          <p>{words.helpPanel.whereYouAre(site.name, site.terminal?.id ?? null)}</p>
        </>
      )}
      {page !== null && (
        <div className="pay-online">
          <QrCode text={page} label={words.receipt.scan} />
          <p>
            {words.helpPanel.payOnline}: <strong>{page.replace(/^https?:\/\//, '')}</strong>
          </p>
        </div>
      )}
      <div className="choices">
        <LanguageMenu />
        <Button kind="primary" onPress={close}>
          {words.close}
        </Button>
      </div>
    </Dialog>
  );
}

/** Calls somebody in the control room, and says honestly whether anybody has the call. */
function HelpCall({ edge, visitId }: { edge: KioskEdge; visitId: string | null }) {
  const { words, language } = useKiosk();
  /** The calls that the driver has begun here; the last one counts. */
  const [wanted, setWanted] = useState<string | null>(null);
  const [call, setCall] = useState<Pick<KioskHelp, 'state' | 'name'> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is called about, and in which language, stays.
  useEffect(() => {
    if (wanted === null) return;
    let id: string | null = null;
    return every(FOLLOW_EVERY_MS, async (signal) => {
      const answer = await (id === null
        ? edge.help({ id: wanted, visitId, language }, signal)
        : edge.helpCall(id, signal));
      if (signal.aborted) return;
      if (answer.kind === 'ok') id = answer.value.id;
      setCall(answer.kind === 'ok' ? answer.value : { state: 'unreached', name: null });
    });
  }, [edge, wanted]);
  const isOpen = call?.state === 'calling' || call?.state === 'accepted';
  return (
    <>
      {call !== null && (
        <p className="lead" role="status">
          {callText(call, words.helpPanel)}
        </p>
      )}
      {!isOpen && (
        <Button
          onPress={() => {
            setCall({ state: 'calling', name: null });
            setWanted(randomUuid());
          }}
        >
          {words.helpPanel.callForHelp}
        </Button>
      )}
    </>
  );
}

function callText({ state, name }: Pick<KioskHelp, 'state' | 'name'>, words: Words['helpPanel']): string {
  return state === 'accepted' ? words.accepted(name ?? words.somebody) : words[state];
}
