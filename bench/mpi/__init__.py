"""Steps of several processes, measured: three models on ours and on torch's, and the exchanges alone."""
