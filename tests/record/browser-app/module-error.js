// Throws while the module is evaluated: no function is on the stack.
const settings = JSON.parse("{}");
document.title = settings.theme.colour;
