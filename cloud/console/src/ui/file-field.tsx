import { useId } from 'react';
import { useMistake } from './mistakes.tsx';

/** A file to choose. */
export function FileField({
  label,
  name,
  hint,
  mistake,
  accept,
  isDisabled,
  onChange,
}: {
  label: string;
  /** The field's path in the request, for the cloud's errors about it. */
  name: string;
  hint: string;
  mistake: string | undefined;
  /** Ends of names, with commas between them. */
  accept: string;
  isDisabled: boolean;
  onChange: (file: File | null) => void;
}) {
  const id = useId();
  const said = useMistake(name);
  const wrong = mistake ?? said;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        required
        accept={accept}
        disabled={isDisabled}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-notes`}
        onChange={({ target }) => onChange(target.files?.[0] ?? null)}
      />
      <span id={`${id}-notes`}>
        <span className="hint">{hint}</span>
        {wrong && <span className="mistake file-mistake">{wrong}</span>}
      </span>
    </div>
  );
}
