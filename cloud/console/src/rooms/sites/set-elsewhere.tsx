import { Link } from '@tanstack/react-router';
import { useAddress } from '../../shell/room-address.ts';
import { ROOM_NAMES } from '../../shell/room-names.ts';
import { roomsOf } from '../../shell/rooms.ts';
import { useSession } from '../../shell/session.ts';
import { WORDS } from './site-words.ts';

/** The rooms in which the other settings of a site are. */
const OTHER_ROOMS: readonly string[] = ['cameras', 'zones', 'products', 'permits', 'devices', 'upgrades'];

/** The settings that are not on this page, with the way to each. */
export function SetElsewhere() {
  const addressOf = useAddress();
  const rooms = roomsOf(useSession()).filter(({ key }) => OTHER_ROOMS.includes(key));
  return (
    <section className="card form">
      <h2>{WORDS.elsewhere}</h2>
      <h3>{WORDS.onGateway}</h3>
      <p>{WORDS.onGatewayWhy}</p>
      {rooms.length > 0 && <h3>{WORDS.inRooms}</h3>}
      <p className="row-acts">
        {rooms.map(({ key, path }) => (
          <Link key={key} to={addressOf(path)}>
            {ROOM_NAMES[key]}
          </Link>
        ))}
      </p>
    </section>
  );
}
