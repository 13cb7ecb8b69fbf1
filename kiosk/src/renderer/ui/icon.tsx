import {
  ALargeSmall,
  Car,
  Check,
  ChevronLeft,
  CircleQuestionMark,
  Clock,
  CreditCard,
  createLucideIcon,
  Delete,
  FileText,
  Globe,
  House,
  Image,
  Mail,
  Minus,
  Phone,
  Plus,
  Search,
  ShieldCheck,
  Smartphone,
  TriangleAlert,
  X,
} from 'lucide-react';

/** A barrier with its arm up, which the set lacks. */
const Gate = createLucideIcon('gate', [
  ['path', { d: 'M4 20V9h3v11M7 11L20.5 6.5M2.5 20h18M11 9.7l.6 1.8M15 8.4l.6 1.8', key: 'gate' }],
]);

const ICONS = {
  back: ChevronLeft,
  help: CircleQuestionMark,
  letters: ALargeSmall,
  home: House,
  erase: Delete,
  search: Search,
  card: CreditCard,
  car: Car,
  gate: Gate,
  tick: Check,
  cross: X,
  clock: Clock,
  mail: Mail,
  phone: Phone,
  mobile: Smartphone,
  plus: Plus,
  minus: Minus,
  alert: TriangleAlert,
  invoice: FileText,
  permit: ShieldCheck,
  picture: Image,
  globe: Globe,
} as const;

export type IconName = keyof typeof ICONS;

/** A drawing beside a word with the same meaning. */
export function Icon({ name }: { name: IconName }) {
  const Drawing = ICONS[name];
  return <Drawing className="icon" />;
}
