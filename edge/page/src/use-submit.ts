import { type SyntheticEvent, useState } from 'react';

/** A form that sends once at a time: what is pressed meanwhile is ignored. */
export function useSubmit(submit: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await submit();
    setBusy(false);
  };
  return { isBusy, onSubmit };
}
