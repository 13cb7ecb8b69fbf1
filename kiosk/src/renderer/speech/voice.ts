import type { Language } from '@hlid/protocol/base/language';
import { useEffect, useState } from 'react';

/** The machine's own voice for a language; null: it has none. */
export function voiceOf(language: Language): SpeechSynthesisVoice | null {
  if (!('speechSynthesis' in window)) return null;
  const voices = speechSynthesis
    .getVoices()
    .filter(({ lang }) => lang.slice(0, 2).toLowerCase() === language);
  return voices.find(({ localService }) => localService) ?? voices[0] ?? null;
}

/** Whether the screen can be read aloud in a language. Voices may be known only some time after the page has loaded. */
export function useVoice(language: Language): boolean {
  const [has, setHas] = useState(() => voiceOf(language) !== null);
  useEffect(() => {
    const look = () => setHas(voiceOf(language) !== null);
    look();
    if (!('speechSynthesis' in window)) return;
    speechSynthesis.addEventListener('voiceschanged', look);
    return () => speechSynthesis.removeEventListener('voiceschanged', look);
  }, [language]);
  return has;
}
