// As webpack's own command does, which is a package of its own.
import webpack from "webpack";
import config from "./webpack.config.mjs";

webpack(config, (error, stats) => {
  if (stats) process.stdout.write(`${stats.toString()}\n`);
  if (error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = error || stats?.hasErrors() ? 1 : 0;
});
