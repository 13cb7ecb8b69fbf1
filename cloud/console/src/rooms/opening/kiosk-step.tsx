import { ScreenNow } from '../../shell/picture-now.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { KnownDevices } from './gateway-steps.tsx';
import type { StepProps } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

/** How the kiosk gets its page, and whether it shows it. */
export function KioskStep({ siteId, opening }: StepProps) {
  const { kiosks } = opening.facts;
  const here = `${location.origin}/console/${siteId}/opening?step=kiosk`;
  return (
    <>
      <KnownDevices siteId={siteId} kind="kiosk" devices={kiosks} />
      {kiosks.length > 0 && <ScreenNow siteId={siteId} />}
      <CopyableText label={WORDS.kiosk.page} value="http://127.0.0.1:7070/kiosk/" />
      <p className="hint">{WORDS.kiosk.try}</p>
      <CopyableText label={WORDS.kiosk.install} value="sudo apt install ./hlid-kiosk_*.deb" />
      <figure className="opening-qr">
        <QrCode text={here} label={WORDS.kiosk.qr} />
        <figcaption className="hint">{WORDS.kiosk.qr}</figcaption>
      </figure>
    </>
  );
}
