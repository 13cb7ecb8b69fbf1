import { Link } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { REPORT } from './report-words.ts';

/** Copies the address of what is shown: a colleague with the same rights sees the same. */
export function CopyLink() {
  const copy = useCopy();
  return (
    <Button onPress={() => copy(location.href)}>
      <Link size={14} aria-hidden="true" /> {REPORT.copyLink}
    </Button>
  );
}
