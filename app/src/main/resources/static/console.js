import { startAccess } from './access/access.js';
import { signedIn } from './access/sign-in.js';
import { byId } from './common/dom.js';
import { startRelativeTimes } from './common/time.js';
import { Compare } from './compare/compare.js';
import { ConnectionBanner } from './connection-banner.js';
import { Doctor } from './doctor/doctor.js';
import { Inspector } from './inspector/inspector.js';
import { Migrations } from './migrations/migrations.js';
import { startPools } from './pools/pools.js';
import { startViews } from './views.js';

const connection = new ConnectionBanner();

if (await signedIn()) {
  startViews(
    {
      inspector: () => new Inspector().start(),
      pools: () => startPools(connection),
      compare: () => new Compare().start(),
      doctor: () => new Doctor(connection).start(),
      migrations: () => new Migrations(connection).start(),
      access: () => startAccess(),
    },
    () => connection.forget(),
  );
}
startRelativeTimes();

// The fragment of the address says what is shown, so the skip link moves the focus without it.
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('content').focus();
});
