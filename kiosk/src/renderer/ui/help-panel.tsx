import type { KioskHelp } from '@hlid/protocol/pages/kiosk-api';
import { Dialog } from '@hlid/ui/dialog';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useKiosk } from '../kiosk-context.ts';
import { useVoice } from '../speech/voice.ts';
import { type HelpCall, isCallOpen } from '../state/kiosk-state.ts';
import type { Words } from '../words/en.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { LanguageMenu } from './languages.tsx';
import { QrCode } from './qr-code.tsx';
import { payPageOf } from './ways-to-pay.ts';

export function HelpPanel({ call }: { call: HelpCall | null }) {
  const { words, site, dispatch } = useKiosk();
  const page = payPageOf(site);
  const close = () => dispatch({ type: 'help', open: false });
  return (
    <Dialog title={words.helpPanel.title} onClose={close}>
      <HelpCallState call={call} />
      {site.helpPhone === null ? (
        <p className="lead">{words.helpPanel.nobody}</p>
      ) : (
        <>
          <p className="lead">{words.helpPanel.call}</p>
          <p className="phone-number">
            <Icon name="phone" />
            {site.helpPhone}
          </p>
          <p>
            {site.terminal
              ? words.helpPanel.whereYouAreAt({ site: site.name, kiosk: site.terminal.id })
              : words.helpPanel.whereYouAre({ site: site.name })}
          </p>
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

/** The button for reading aloud, for drivers without a key for it beside the screen. */
function ReadAloud() {
  const { words, language, speaks, dispatch } = useKiosk();
  if (!useVoice(language)) return null;
  return (
    <Button pressed={speaks} onPress={() => dispatch({ type: 'speech', on: !speaks })}>
      {words.helpPanel.readAloud}
    </Button>
  );
}

/** The state of a call to the control room, including whether it has been accepted. */
function HelpCallState({ call }: { call: HelpCall | null }) {
  const { words, dispatch } = useKiosk();
  return (
    <>
      {call !== null && (
        <p className="lead" role="status">
          {callText(call, words.helpPanel)}
        </p>
      )}
      <div className="help-ways">
        {!isCallOpen({ call }) && (
          <Button onPress={() => dispatch({ type: 'call', wanted: randomUuid() })}>
            {words.helpPanel.callForHelp}
          </Button>
        )}
        <ReadAloud />
      </div>
    </>
  );
}

function callText({ state, name }: Pick<KioskHelp, 'state' | 'name'>, words: Words['helpPanel']): string {
  return state === 'accepted' ? words.accepted({ name: name ?? words.somebody }) : words[state];
}
