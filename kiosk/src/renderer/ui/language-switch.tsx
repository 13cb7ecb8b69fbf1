import { useKiosk, WORDS } from '../kiosk-context.ts';
import { Button } from './button.tsx';

export function LanguageSwitch() {
  const { words, language, dispatch } = useKiosk();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its legend inside its border.
    <div className="languages" role="group" aria-label={words.language}>
      {(['is', 'en'] as const).map((each) => (
        <Button
          key={each}
          kind="quiet"
          pressed={each === language}
          onPress={() => dispatch({ type: 'language', language: each })}
        >
          <span lang={each}>{WORDS[each].name}</span>
        </Button>
      ))}
    </div>
  );
}
