import { LANGUAGE_NAMES, LANGUAGES } from '@hlid/protocol/base/language';
import { useId } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Every language by its own name. @param closes the popover in which it is */
export function LanguageList({ closes }: { closes?: string }) {
  const { words, language, dispatch } = useKiosk();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its legend inside its border.
    <div className="languages" role="group" aria-label={words.languages}>
      {LANGUAGES.map((each) => (
        <Button
          key={each}
          pressed={each === language}
          {...(closes !== undefined && { popover: { id: closes, action: 'hide' } })}
          onPress={() => dispatch({ type: 'language', language: each })}
        >
          <span lang={each}>{LANGUAGE_NAMES[each]}</span>
        </Button>
      ))}
    </div>
  );
}

/** The language of the screen; a touch brings up the others. */
export function LanguageMenu() {
  const { words, language } = useKiosk();
  const id = useId();
  return (
    <>
      <Button
        kind="quiet"
        className="language"
        label={`${LANGUAGE_NAMES[language]}. ${words.languages}`}
        popover={{ id, action: 'toggle' }}
      >
        <Icon name="globe" />
        {LANGUAGE_NAMES[language]}
      </Button>
      <div id={id} className="language-menu" popover="auto">
        <LanguageList closes={id} />
      </div>
    </>
  );
}
