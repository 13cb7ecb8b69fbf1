const PATHS = {
  back: 'M15 5l-7 7 7 7',
  tick: 'M5 12.5l4.7 4.7L19.5 7.4',
  alert: 'M12 3.800L21.500 20h-19zM12 10v4.500M12 17.200v.1',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.500M12 7.600v.1',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3.2 2.2',
  gate: 'M4 20V9h3v11M7 11L20.5 6.5M2.5 20h18M11 9.7l.6 1.8M15 8.4l.6 1.8',
  car: 'M4 17.5v-4.2c0-.8.4-1.3 1-1.5l1.6-4.6c.2-.7.8-1.2 1.5-1.2h7.8c.7 0 1.3.5 1.5 1.2l1.6 4.6c.6.2 1 .7 1 1.5v4.2M4 17.5h16M4 17.5V20M20 17.5V20M5.2 11.8h13.6M7.5 14.7h1M15.5 14.7h1',
  invoice: 'M6 3.500h9l4 4V20.500H6zM9 9h4M9 13h7M9 16.500h7',
  permit:
    'M12 3l7.500 2.700v5.600c0 4.500-3 8-7.500 9.700-4.500-1.700-7.500-5.200-7.500-9.700V5.700zM8.500 11.800l2.500 2.500 4.500-4.600',
  phone:
    'M6 3.5h3l1.6 4.3-2 1.6a13 13 0 0 0 6 6l1.6-2 4.3 1.6v3c0 .9-.8 1.6-1.7 1.5C11.200 19 5 12.800 4.500 5.200 4.400 4.300 5.100 3.500 6 3.500z',
  mail: 'M3.500 6h17v12.500h-17zM4 6.500l8 6.500 8-6.500',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  lock: 'M6 11h12v9.500H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  next: 'M9 5l7 7-7 7',
  globe:
    'M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4zM2.8 12h18.4M12 2.8c5 5.200 5 13.200 0 18.400M12 2.8c-5 5.200-5 13.200 0 18.400',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a word with the same meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
