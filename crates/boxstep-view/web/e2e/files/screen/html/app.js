// What a page of a tablet must not be able to do.
document.getElementById('greeting').textContent = 'Hello from the tablet';
let seen = 'reaches nobody';
try {
  seen = `sees ${window.parent.document.title}`;
} catch {
  // As it should be.
}
document.getElementById('reach').textContent = `${seen}, origin ${window.origin}`;
