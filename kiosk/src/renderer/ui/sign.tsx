import { Icon, type IconName } from './icon.tsx';

/** How it went, in one look; the heading says it in words. */
export function Sign({ name }: { name: IconName }) {
  return (
    <span className="sign">
      <Icon name={name} />
    </span>
  );
}
