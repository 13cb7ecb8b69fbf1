import { isMailAddress } from '@hlid/protocol/base/mail-address';
import { useState } from 'react';
import { usePage } from '../pay-context.ts';
import { TextField } from './text-field.tsx';

/** Asks for a mail address, and sends when it looks like one. */
export function EmailForm({
  label,
  hint,
  placeholder,
  email,
  onText,
  action,
  isSending,
  onSend,
}: {
  label: string;
  hint: string;
  placeholder?: string;
  email: string;
  onText: (email: string) => void;
  action: string;
  isSending: boolean;
  onSend: () => void;
}) {
  const { words } = usePage();
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className="mail"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(!isMailAddress(email));
        if (isMailAddress(email)) onSend();
      }}
    >
      <TextField
        label={label}
        type="email"
        value={email}
        autoComplete="email"
        inputMode="email"
        placeholder={placeholder}
        hint={hint}
        mistake={isWrong ? words.paid.wrong : undefined}
        onText={(text) => {
          setWrong(false);
          onText(text);
        }}
      />
      <button type="submit" className="button" disabled={isSending}>
        {action}
      </button>
    </form>
  );
}
