import { Dialog } from '@hlid/ui/dialog';
import { useKiosk } from '../kiosk-context.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { LanguageMenu } from './languages.tsx';
import { QrCode } from './qr-code.tsx';

export function HelpPanel() {
  const { words, site, dispatch } = useKiosk();
  const close = () => dispatch({ type: 'help', open: false });
  return (
    <Dialog title={words.helpPanel.title} onClose={close}>
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
      {site.payOnline !== null && (
        <div className="pay-online">
          <QrCode text={site.payOnline} label={words.receipt.scan} />
          <p>
            {words.helpPanel.payOnline}: <strong>{site.payOnline.replace(/^https?:\/\//, '')}</strong>
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
