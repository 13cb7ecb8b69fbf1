import { useEffect, useRef } from 'react';

/**
 * The telephone's own way back goes back a step; while a payment is in progress it does nothing.
 *
 * @param depth how many steps there are to go back
 */
export function useHistory(depth: number, goBack: () => void): void {
  const entries = useRef(0);
  const back = useRef(goBack);
  useEffect(() => {
    back.current = goBack;
  });
  useEffect(() => {
    for (; entries.current < depth; entries.current++) history.pushState(null, '');
  }, [depth]);
  useEffect(() => {
    const onPop = () => {
      entries.current = Math.max(0, entries.current - 1);
      back.current();
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
}
