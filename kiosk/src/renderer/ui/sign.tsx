import { Icon, type IconName } from './icon.tsx';

/** The result as a sign; the heading has it in words. */
export function Sign({ name }: { name: IconName }) {
  return (
    <span className="sign">
      <Icon name={name} />
    </span>
  );
}
