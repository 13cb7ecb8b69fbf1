import { useKiosk } from '../kiosk-context.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { Keyboard } from '../ui/keyboard.tsx';
import { TypedField } from '../ui/typed-field.tsx';

const ROWS = ['1234567890', 'qwertyuiopð', 'asdfghjklæö', 'zxcvbnmþ-_+', '@.'];
const TAKES = /[^\s]/;
/** The most frequent endings, at one touch. */
const ENDINGS = ['@gmail.com', '.is'];

export function MailScreen({ screen }: { screen: Extract<Screen, { at: 'mail' }> }) {
  const { words, dispatch } = useKiosk();
  const { typed, sending, trouble } = screen;
  const send = () => dispatch({ type: 'send' });
  return (
    <Frame
      className="typing"
      title={words.mail.title}
      lead={words.mail.privacy}
      controls={
        <>
          {trouble !== null && (
            <p className="note bad" role="alert">
              <Icon name="alert" />
              {trouble === 'bad-input' ? words.mail.wrong : words.mail.failed}
            </p>
          )}
          <TypedField label={words.mail.field} text={typed} />
          <Keyboard
            label={words.mail.field}
            rows={ROWS}
            takes={TAKES}
            onEnter={send}
            eraseLabel={words.plate.erase}
          >
            {ENDINGS.map((ending) => (
              <Button
                key={ending}
                className={ending.startsWith('@') ? 'key wide-3' : 'key wide'}
                onPress={() => dispatch({ type: 'key', character: ending })}
              >
                {ending}
              </Button>
            ))}
            <Button kind="primary" className="key rest" disabled={sending || typed === ''} onPress={send}>
              <Icon name="mail" />
              {words.mail.send}
            </Button>
          </Keyboard>
        </>
      }
    />
  );
}
