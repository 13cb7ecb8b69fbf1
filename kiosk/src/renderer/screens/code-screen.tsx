import { groupedCode, isWellFormed } from '@hlid/protocol/records/exit-code';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useKiosk } from '../kiosk-context.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Keyboard } from '../ui/keyboard.tsx';
import { TypedField } from '../ui/typed-field.tsx';
import type { Words } from '../words/en.ts';

/** No letter that looks like another one: the code has none of them. */
const ROWS = ['1234567890', 'ABCDEFGHJKM', 'NPQRSTVWXYZ'];
const TAKES = /[\da-z]/i;

/** The driver types the code of a payment by phone, of which the site cannot be informed. */
export function CodeScreen({ screen }: { screen: Extract<Screen, { at: 'code' }> }) {
  const { words, dispatch } = useKiosk();
  const { due, typed, sending, trouble } = screen;
  const send = () => dispatch({ type: 'send' });
  return (
    <Frame
      className="typing naming"
      title={words.code.title}
      lead={words.code.lead}
      controls={
        <>
          {trouble !== null && (
            <p className="note bad" role="alert">
              {troubleText(trouble, words)}
            </p>
          )}
          <TypedField label={words.code.field} text={groupedCode(typed)} />
          <Keyboard
            label={words.code.field}
            rows={ROWS}
            takes={TAKES}
            onEnter={send}
            eraseLabel={words.plate.erase}
          >
            <Button className="key wide" onPress={() => dispatch({ type: 'clear' })} disabled={typed === ''}>
              {words.plate.clear}
            </Button>
            <Button
              kind="primary"
              className="key widest"
              onPress={send}
              disabled={sending || !isWellFormed(typed)}
            >
              {words.code.send}
            </Button>
          </Keyboard>
        </>
      }
    >
      <div className="this-car">
        <PlateSign plate={due.visit.plate} unread={words.noPlate} />
      </div>
    </Frame>
  );
}

function troubleText(trouble: NonNullable<Extract<Screen, { at: 'code' }>['trouble']>, words: Words): string {
  if (trouble === 'code-expired') return words.code.expired;
  return trouble === 'too-many-requests' ? words.plate.tooMany : words.code.wrong;
}
