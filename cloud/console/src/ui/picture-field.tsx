import { useEffect, useId, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import { useMistake } from './mistakes.tsx';

const MAX_BYTES = 15_000;
const TYPES = 'image/png,image/jpeg,image/webp,image/svg+xml';

/** A small picture, as a `data:` address; empty: none. @param tooLarge the text about a larger one */
export function PictureField({
  label,
  name,
  hint,
  value,
  tooLarge,
  onChange,
}: {
  label: string;
  name: string;
  hint: string | undefined;
  value: string;
  tooLarge: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const refused = useMistake(name);
  const [isTooLarge, setTooLarge] = useState(false);
  const mistake = isTooLarge ? tooLarge : refused;
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    setTooLarge(file.size > MAX_BYTES);
    if (file.size <= MAX_BYTES) onChange(await dataAddress(file));
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {value !== '' && <Picture address={value} />}
      <input
        id={id}
        type="file"
        accept={TYPES}
        aria-invalid={mistake !== undefined}
        aria-describedby={`${id}-notes`}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {value !== '' && (
        <Button look="quiet" onPress={() => onChange('')}>
          {COMMON.remove}
        </Button>
      )}
      <span id={`${id}-notes`}>
        {hint && <span className="hint">{hint}</span>}
        {mistake && <span className="mistake file-mistake">{mistake}</span>}
      </span>
    </div>
  );
}

/** The page shows no `data:` addresses, so the picture gets an address of its own. */
function Picture({ address }: { address: string }) {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(blobOf(address));
    setShown(url);
    return () => URL.revokeObjectURL(url);
  }, [address]);
  return shown === null ? null : <img className="picture-field" src={shown} alt="" />;
}

function blobOf(address: string): Blob {
  const [head = '', body = ''] = address.split(',');
  const type = /^data:([^;]*)/.exec(head)?.[1] ?? '';
  return new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { type });
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(file);
  });
}
