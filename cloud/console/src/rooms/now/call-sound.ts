import { useEffect, useState } from 'react';

const STORED_AS = 'hlid.call-sound';
const RING_EVERY_MS = 2500;

/** Whether calls make a sound here: the person's choice on this computer, off at first. */
export function useCallSound(isRinging: boolean): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(STORED_AS) === 'on');
  useEffect(() => {
    if (!isOn || !isRinging) return;
    const context = new AudioContext();
    ring(context);
    const ringing = setInterval(() => ring(context), RING_EVERY_MS);
    return () => {
      clearInterval(ringing);
      void context.close();
    };
  }, [isOn, isRinging]);
  return [
    isOn,
    (wanted) => {
      localStorage.setItem(STORED_AS, wanted ? 'on' : 'off');
      setOn(wanted);
    },
  ];
}

/** Two short tones. */
function ring(context: AudioContext): void {
  for (const [delay, frequency] of [
    [0, 660],
    [0.25, 880],
  ] as const) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + delay;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.2, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.22);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.22);
  }
}
