// A signal to the process that runs the tests, and to no other, would leave its workers behind for as long as
// anything in them is open: they lose their channel to it. This is read again before each file.
if (process.listenerCount('disconnect') === 0) process.once('disconnect', () => process.exit(1));
